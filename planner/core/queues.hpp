// Priority queues of search nodes.
//
// A priority is (key, first, second), smaller first, then newest or oldest first. Entries are never changed or removed:
// the search knows by g whether an entry is stale.
//   Distinct      the distinct priorities in use, found by hashing, the non-empty ones in a 4-ary heap
//   BucketQueue   a stack (or queue) of entries per distinct priority: constant time while priorities repeat, and no
//                 worse than a heap when they do not (large costs)
//   HeapQueue     a 4-ary heap of entries, for real keys, which hardly ever repeat
//   CostCounts    how many nodes have each f, and the least f present
#pragma once

#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "array.hpp"
#include "graph.hpp"
#include "store.hpp"

namespace fsplan {

struct Priority {
    std::int64_t key;
    Cost first;
    Cost second;

    bool operator==(const Priority&) const = default;
    bool operator<(const Priority& other) const {
        if (key != other.key) return key < other.key;
        return first != other.first ? first < other.first : second < other.second;
    }
};

inline std::uint64_t hash_value(const Priority& priority) {
    const auto ties = static_cast<std::uint64_t>(static_cast<std::uint32_t>(priority.first)) << 32 |
                      static_cast<std::uint32_t>(priority.second);
    return mix(static_cast<std::uint64_t>(priority.key) * 0x9E3779B97F4A7C15ULL ^ ties);
}

// Doubles as integers of the same order; -0 equals 0.
inline std::int64_t ordered(double key) {
    const auto bits = std::bit_cast<std::int64_t>(key + 0.0);
    return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

struct Entry {
    StateId id;
    Cost g;
};

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

// Visits the items of a heap in order without changing it, until visit says false.
template <class Heap, class Less, class Visit>
void visit_in_order(const Heap& heap, Less less, Visit visit) {
    if (heap.empty()) return;
    const auto later = [&](std::size_t left, std::size_t right) { return less(heap[right], heap[left]); };
    std::vector<std::size_t> border{0};
    while (!border.empty()) {
        std::pop_heap(border.begin(), border.end(), later);
        const std::size_t index = border.back();
        border.pop_back();
        if (!visit(heap[index])) return;
        for (std::size_t child = 4 * index + 1; child < std::min(4 * index + 5, heap.size()); ++child) {
            border.push_back(child);
            std::push_heap(border.begin(), border.end(), later);
        }
    }
}

// Dense numbers for distinct keys, and a heap of the keys marked present.
template <class Key>
class Distinct {
public:
    struct Item {
        Key key;
        std::uint32_t number;
    };
    struct Less {
        bool operator()(const Item& left, const Item& right) const { return left.key < right.key; }
    };

    Interned number(const Key& key) {
        const Interned found = index_.intern(hash_value(key), [&](StateId id) { return keys_[id] == key; });
        if (found.is_new) keys_.push_back(key);
        return found;
    }
    const Key& key(std::uint32_t number) const { return keys_[number]; }
    void mark(std::uint32_t number) { heap_.push({keys_[number], number}); }
    bool empty() const { return heap_.empty(); }
    const Item& top() const { return heap_.top(); }
    void unmark_top() { heap_.pop(); }
    const QuaternaryHeap<Item, Less>& heap() const { return heap_; }
    std::size_t bytes() const { return index_.bytes() + keys_.bytes() + heap_.bytes(); }

private:
    HashIndex index_;
    FlatArray<Key> keys_;
    QuaternaryHeap<Item, Less> heap_;
};

class BucketQueue {
public:
    explicit BucketQueue(bool newest = true) : newest_(newest) {}

    bool empty() const { return priorities_.empty(); }
    void push(const Priority& priority, Entry entry) {
        const Interned bucket = priorities_.number(priority);
        if (bucket.is_new) buckets_.push_back({kNone, kNone});
        Bucket& list = buckets_[bucket.id];
        if (list.first == kNone) priorities_.mark(bucket.id);
        const std::uint32_t cell = allocate(entry);
        if (list.first == kNone) {
            list = {cell, cell};
        } else if (newest_) {
            cells_[cell].next = list.first;
            list.first = cell;
        } else {
            cells_[list.last].next = cell;
            list.last = cell;
        }
    }
    const Priority& top_priority() const { return priorities_.top().key; }
    Entry top() const { return cells_[buckets_[priorities_.top().number].first].entry; }
    void pop() {
        Bucket& list = buckets_[priorities_.top().number];
        const std::uint32_t cell = list.first;
        list.first = cells_[cell].next;
        cells_[cell].next = free_;
        free_ = cell;
        if (list.first == kNone)
            priorities_.unmark_top();
        else
            __builtin_prefetch(&cells_[list.first]);
    }
    template <class Visit>
    void in_order(Visit visit) const {
        visit_in_order(priorities_.heap(), Distinct<Priority>::Less(), [&](const auto& item) {
            for (std::uint32_t cell = buckets_[item.number].first; cell != kNone; cell = cells_[cell].next)
                if (!visit(cells_[cell].entry)) return false;
            return true;
        });
    }
    std::size_t bytes() const { return priorities_.bytes() + buckets_.bytes() + cells_.bytes(); }

private:
    static constexpr std::uint32_t kNone = kNoState;
    struct Bucket {
        std::uint32_t first;
        std::uint32_t last;
    };
    struct Cell {
        Entry entry;
        std::uint32_t next;
    };

    std::uint32_t allocate(Entry entry) {
        if (free_ == kNone) {
            cells_.push_back({entry, kNone});
            return static_cast<std::uint32_t>(cells_.size() - 1);
        }
        const std::uint32_t cell = free_;
        free_ = cells_[cell].next;
        cells_[cell] = {entry, kNone};
        return cell;
    }

    bool newest_;
    Distinct<Priority> priorities_;
    FlatArray<Bucket> buckets_;
    FlatArray<Cell> cells_;
    std::uint32_t free_ = kNone;
};

class HeapQueue {
public:
    explicit HeapQueue(bool newest = true) : newest_(newest) {}

    bool empty() const { return heap_.empty(); }
    void push(const Priority& priority, Entry entry) {
        heap_.push({priority, newest_ ? -pushed_ : pushed_, entry});
        ++pushed_;
    }
    const Priority& top_priority() const { return heap_.top().priority; }
    Entry top() const { return heap_.top().entry; }
    void pop() { heap_.pop(); }
    template <class Visit>
    void in_order(Visit visit) const {
        visit_in_order(heap_, Less(), [&](const Item& item) { return visit(item.entry); });
    }
    std::size_t bytes() const { return heap_.bytes(); }

private:
    struct Item {
        Priority priority;
        std::int64_t age;
        Entry entry;
    };
    struct Less {
        bool operator()(const Item& left, const Item& right) const {
            if (left.priority == right.priority) return left.age < right.age;
            return left.priority < right.priority;
        }
    };

    bool newest_;
    std::int64_t pushed_ = 0;
    QuaternaryHeap<Item, Less> heap_;
};

// Either of the two, chosen once by the kind of key.
class NodeQueue {
public:
    NodeQueue(bool integer_keys, bool newest) : integer_keys_(integer_keys), buckets_(newest), heap_(newest) {}

    bool empty() const { return integer_keys_ ? buckets_.empty() : heap_.empty(); }
    void push(const Priority& priority, Entry entry) {
        integer_keys_ ? buckets_.push(priority, entry) : heap_.push(priority, entry);
    }
    const Priority& top_priority() const { return integer_keys_ ? buckets_.top_priority() : heap_.top_priority(); }
    Entry top() const { return integer_keys_ ? buckets_.top() : heap_.top(); }
    void pop() { integer_keys_ ? buckets_.pop() : heap_.pop(); }
    template <class Visit>
    void in_order(Visit visit) const {
        integer_keys_ ? buckets_.in_order(visit) : heap_.in_order(visit);
    }
    std::size_t bytes() const { return buckets_.bytes() + heap_.bytes(); }

private:
    bool integer_keys_;
    BucketQueue buckets_;
    HeapQueue heap_;
};

class CostCounts {
public:
    void add(Cost cost) {
        const Interned found = costs_.number(static_cast<std::uint32_t>(cost));
        if (found.is_new) counts_.push_back({0, false});
        Count& count = counts_[found.id];
        ++count.nodes;
        if (!count.marked) {
            count.marked = true;
            costs_.mark(found.id);
        }
    }
    void remove(Cost cost) { --counts_[costs_.number(static_cast<std::uint32_t>(cost)).id].nodes; }
    // The least cost present; kDeadEnd if there is none.
    Cost least() {
        while (!costs_.empty() && counts_[costs_.top().number].nodes == 0) {
            counts_[costs_.top().number].marked = false;
            costs_.unmark_top();
        }
        return costs_.empty() ? kDeadEnd : static_cast<Cost>(costs_.top().key);
    }
    std::size_t bytes() const { return costs_.bytes() + counts_.bytes(); }

private:
    struct Count {
        std::uint32_t nodes;
        bool marked;
    };

    Distinct<std::uint32_t> costs_;
    FlatArray<Count> counts_;
};

}  // namespace fsplan
