// A 4-ary heap. It has fewer levels than a binary heap, and the children of a node are adjacent in memory.
#pragma once

#include "containers/array.hpp"

namespace fsplan {

template <class T, class Less>
class QuaternaryHeap {
public:
    bool empty() const { return items_.empty(); }
    std::size_t size() const { return items_.size(); }
    std::size_t bytes() const { return items_.bytes(); }
    const T& top() const { return items_[0]; }
    const T& operator[](std::size_t index) const { return items_[index]; }
    void clear() { items_.clear(); }

    void push(const T& item) {
        items_.push_back(item);
        std::size_t hole = items_.size() - 1;
        while (hole > 0 && Less()(item, items_[(hole - 1) / 4])) {
            items_[hole] = items_[(hole - 1) / 4];
            hole = (hole - 1) / 4;
        }
        items_[hole] = item;
    }
    void pop() {
        const T last = items_.back();
        items_.pop_back();
        if (items_.empty()) return;
        std::size_t hole = 0;
        for (std::size_t child = 1; child < items_.size(); child = 4 * hole + 1) {
            const std::size_t end = std::min(child + 4, items_.size());
            for (std::size_t other = child + 1; other < end; ++other)
                if (Less()(items_[other], items_[child])) child = other;
            if (!Less()(items_[child], last)) break;
            items_[hole] = items_[child];
            hole = child;
        }
        items_[hole] = last;
    }

private:
    FlatArray<T> items_;
};

// Visits the items of a heap in order, without changing it, until visit returns false; returns false then.
template <class Heap, class Less, class Visit>
bool visit_in_order(const Heap& heap, Less less, Visit visit) {
    if (heap.empty()) return true;
    const auto later = [&](std::size_t left, std::size_t right) { return less(heap[right], heap[left]); };
    std::vector<std::size_t> border{0};
    while (!border.empty()) {
        std::pop_heap(border.begin(), border.end(), later);
        const std::size_t index = border.back();
        border.pop_back();
        if (!visit(heap[index])) return false;
        for (std::size_t child = 4 * index + 1; child < std::min(4 * index + 5, heap.size()); ++child) {
            border.push_back(child);
            std::push_heap(border.begin(), border.end(), later);
        }
    }
    return true;
}

}  // namespace fsplan
