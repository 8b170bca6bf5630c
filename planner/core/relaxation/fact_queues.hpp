// Priority queues of facts for repairing h_max. A fact may be pushed again at a lower cost; the caller of pop() skips
// stale entries, whose cost is not the fact's current one. A queue is empty again after each repair.
#pragma once

#include "contract/graph.hpp"
#include "relaxation/bitmap.hpp"

namespace fsplan {

struct FactAtCost {
    std::uint32_t fact;
    Cost cost;
};

// Queue for costs below kLimit.
class FactBuckets {
public:
    static constexpr Cost kLimit = Bitmap4096::kSize;

    FactBuckets() { head_.fill(kEnd); }

    void push(std::uint32_t fact, Cost cost) {
        entries_.push_back({fact, head_[cost]});
        head_[cost] = static_cast<std::uint32_t>(entries_.size() - 1);
        filled_.insert(static_cast<std::uint32_t>(cost));
    }

    bool empty() const { return filled_.empty(); }

    void clear() {
        for (; !filled_.empty(); filled_.erase(filled_.first())) head_[filled_.first()] = kEnd;
        entries_.clear();
    }

    FactAtCost pop() {
        auto cost = filled_.first();
        auto [fact, next] = entries_[head_[cost]];
        head_[cost] = next;
        if (next == kEnd) filled_.erase(cost);
        if (filled_.empty()) entries_.clear();
        return {fact, static_cast<Cost>(cost)};
    }

private:
    static constexpr std::uint32_t kEnd = 0xFFFFFFFF;
    struct Entry {
        std::uint32_t fact;
        std::uint32_t next;
    };

    Bitmap4096 filled_;
    std::array<std::uint32_t, kLimit> head_;
    std::vector<Entry> entries_;
};

class FactHeap {
public:
    void push(std::uint32_t fact, Cost cost) {
        heap_.push_back(static_cast<std::uint64_t>(cost) << 32 | fact);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }

    bool empty() const { return heap_.empty(); }

    void clear() { heap_.clear(); }

    FactAtCost pop() {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        auto top = heap_.back();
        heap_.pop_back();
        return {static_cast<std::uint32_t>(top), static_cast<Cost>(top >> 32)};
    }

private:
    std::vector<std::uint64_t> heap_;
};

}  // namespace fsplan
