// Monotone priority queues of sets of facts: all facts of the least cost are removed at once, and costs never decrease.
#pragma once

#include "contract/graph.hpp"
#include "relaxation/bitmap.hpp"
#include "relaxation/bits.hpp"

namespace fsplan {

// Queue for costs that exceed the current cost by at most kReach.
template <std::size_t W>
class BitRing {
public:
    static constexpr Cost kReach = Bitmap4096::kSize - 1;

    BitRing() : due_(kReach + 1) {}

    void clear() {
        while (!filled_.empty()) take(filled_.first());
        cost_ = 0;
    }
    void push(Cost cost, const Bits<W>& facts) {
        auto bucket = static_cast<std::uint32_t>(cost) & kReach;
        due_[bucket] |= facts;
        filled_.insert(bucket);
    }
    bool empty() const { return filled_.empty(); }
    Cost pop(Bits<W>& facts) {
        auto bucket = filled_.next(static_cast<std::uint32_t>(cost_) & kReach);
        cost_ += static_cast<Cost>((bucket - static_cast<std::uint32_t>(cost_)) & kReach);
        facts = take(bucket);
        return cost_;
    }

private:
    Bits<W> take(std::uint32_t bucket) {
        filled_.erase(bucket);
        return std::exchange(due_[bucket], {});
    }

    Cost cost_ = 0;
    Bitmap4096 filled_;
    std::vector<Bits<W>> due_;
};

// Queue for arbitrary costs.
template <std::size_t W>
class BitHeap {
public:
    void clear() { heap_.clear(); }
    void push(Cost cost, const Bits<W>& facts) {
        heap_.push_back({cost, facts});
        std::push_heap(heap_.begin(), heap_.end());
    }
    bool empty() const { return heap_.empty(); }
    Cost pop(Bits<W>& facts) {
        auto cost = heap_.front().cost;
        facts = {};
        while (!heap_.empty() && heap_.front().cost == cost) {
            std::pop_heap(heap_.begin(), heap_.end());
            facts |= heap_.back().facts;
            heap_.pop_back();
        }
        return cost;
    }

private:
    struct Due {
        Cost cost;
        Bits<W> facts;
        bool operator<(const Due& other) const { return cost > other.cost; }  // makes a min-heap
    };
    std::vector<Due> heap_;
};

}  // namespace fsplan
