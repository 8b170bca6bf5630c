// Priority queues of search nodes.
//
// A priority is (key, first, second); smaller ones come first. Entries of equal priority are ordered by age, newest or
// oldest first. Entries are never changed or removed: the search compares g to detect stale entries.
//   BucketQueue   a stack (or queue) of entries per distinct priority: constant time while priorities repeat, and no
//                 worse than a heap when they do not (large costs)
//   HeapQueue     a 4-ary heap of entries, for real keys, which hardly ever repeat
//   CostCounts    number of nodes for each f, and the least f of a node
#pragma once

#include "containers/array.hpp"
#include "containers/buckets.hpp"
#include "containers/heap.hpp"
#include "contract/graph.hpp"

namespace fsplan {

// Maps doubles to integers in the same order; -0 and 0 give the same integer.
inline std::int64_t ordered(double key) {
    const auto bits = std::bit_cast<std::int64_t>(key + 0.0);
    return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

class BucketQueue {
public:
    // If with_second is false, the field `second` of all priorities must be 0.
    explicit BucketQueue(bool newest = true, bool with_second = false) : entries_(newest), small_(with_second) {}

    bool empty() const { return small_.empty() && priorities_.empty(); }
    void push(const Priority& priority, Entry entry) {
        if (small_.covers(priority)) entries_.push(small_.list_to_fill(priority), entry);
        else push_other(priority, entry);
    }
    Priority top_priority() const { return small_is_top() ? small_.priority(small_.begin()) : priorities_.top().key; }
    Entry top() const {
        return entries_.top(small_is_top() ? small_.list(small_.begin()) : lists_[priorities_.top().number]);
    }
    Entry pop() {
        if (small_is_top()) {
            EntryList& list = small_.list(small_.begin());
            const Entry entry = entries_.pop(list);
            if (list == kEmptyList) small_.drop_first();
            return entry;
        }
        EntryList& list = lists_[priorities_.top().number];
        const Entry entry = entries_.pop(list);
        if (list == kEmptyList) priorities_.unmark_top();
        return entry;
    }
    // Calls visit(entry) in the order of the queue until it returns false.
    // Merges the two sorted sequences: lists of small priorities and lists of others.
    template <class Visit>
    void in_order(Visit visit) const {
        SmallPriorities::Position small = small_.begin();
        const auto small_before = [&](const Priority* end) {
            for (; !small_.at_end(small) && (end == nullptr || small_.priority(small) < *end); small_.advance(small))
                if (!entries_.visit(small_.list(small), visit)) return false;
            return true;
        };
        const bool going = visit_in_order(priorities_.heap(), Distinct<Priority>::Less(), [&](const auto& item) {
            return small_before(&item.key) && entries_.visit(lists_[item.number], visit);
        });
        if (going) small_before(nullptr);
    }
    std::size_t bytes() const { return small_.bytes() + priorities_.bytes() + lists_.bytes() + entries_.bytes(); }

private:
    bool small_is_top() const {
        return !small_.empty() && (priorities_.empty() || small_.priority(small_.begin()) < priorities_.top().key);
    }
    [[gnu::noinline]] void push_other(const Priority& priority, Entry entry) {
        const Interned found = priorities_.number(priority);
        if (found.is_new) lists_.push_back(kEmptyList);
        EntryList& list = lists_[found.id];
        if (list == kEmptyList) priorities_.mark(found.id);
        entries_.push(list, entry);
    }

    EntryLists entries_;
    SmallPriorities small_;
    Distinct<Priority> priorities_;  // the priorities outside the table small_
    FlatArray<EntryList> lists_;
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
    Entry pop() {
        const Entry entry = heap_.top().entry;
        heap_.pop();
        return entry;
    }
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

// A BucketQueue for integer keys or a HeapQueue for real keys.
class NodeQueue {
public:
    NodeQueue(bool integer_keys, bool newest, bool with_second)
        : integer_keys_(integer_keys), buckets_(newest, with_second), heap_(newest) {}

    bool empty() const { return integer_keys_ ? buckets_.empty() : heap_.empty(); }
    void push(const Priority& priority, Entry entry) {
        integer_keys_ ? buckets_.push(priority, entry) : heap_.push(priority, entry);
    }
    Priority top_priority() const { return integer_keys_ ? buckets_.top_priority() : heap_.top_priority(); }
    Entry top() const { return integer_keys_ ? buckets_.top() : heap_.top(); }
    Entry pop() { return integer_keys_ ? buckets_.pop() : heap_.pop(); }
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
        if (cost < kSmall) {
            if (small_[cost]++ == 0) present_[cost / 64] |= bit(cost);
            return;
        }
        const Interned found = costs_.number(static_cast<std::uint32_t>(cost));
        if (found.is_new) counts_.push_back({0, false});
        Count& count = counts_[found.id];
        ++count.nodes;
        if (!count.marked) {
            count.marked = true;
            costs_.mark(found.id);
        }
    }
    void remove(Cost cost) {
        if (cost >= kSmall) --counts_[costs_.number(static_cast<std::uint32_t>(cost)).id].nodes;
        else if (--small_[cost] == 0) present_[cost / 64] &= ~bit(cost);
    }
    // The least cost present; kInfinite if there is none.
    Cost least() {
        for (std::size_t word = 0; word < present_.size(); ++word)
            if (present_[word] != 0) return static_cast<Cost>(64 * word + std::countr_zero(present_[word]));
        while (!costs_.empty() && counts_[costs_.top().number].nodes == 0) {
            counts_[costs_.top().number].marked = false;
            costs_.unmark_top();
        }
        return costs_.empty() ? kInfinite : static_cast<Cost>(costs_.top().key);
    }
    std::size_t bytes() const { return sizeof small_ + costs_.bytes() + counts_.bytes(); }

private:
    struct Count {
        std::uint32_t nodes;
        bool marked;
    };

    static constexpr Cost kSmall = 512;
    static std::uint64_t bit(Cost cost) { return std::uint64_t{1} << (cost % 64); }

    // Counts of small costs, indexed by cost.
    std::array<std::uint32_t, kSmall> small_{};
    std::array<std::uint64_t, kSmall / 64> present_{};
    Distinct<std::uint32_t> costs_;
    FlatArray<Count> counts_;
};

}  // namespace fsplan
