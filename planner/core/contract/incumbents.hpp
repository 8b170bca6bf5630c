// The cheapest plan and the greatest lower bound known for a task. Searches that run in parallel share one object:
// between two steps each search adds its plans and bounds to it and reads those of the others.
#pragma once

#include <atomic>
#include <mutex>

#include "contract/request.hpp"

namespace fsplan {

class Incumbents {
public:
    // A counter that grows with every better plan and every greater bound; cheap enough to read before each expansion.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

    // cost is kInfinite while there is no plan; lower_bound is kInfinite once it is proven that there is none.
    Incumbent best() const {
        const std::lock_guard lock(mutex_);
        return best_;
    }
    void offer_plan(const Incumbent& found) {
        const std::lock_guard lock(mutex_);
        if (found.cost >= best_.cost) return;
        best_.plan = found.plan;
        best_.cost = found.cost;
        version_.fetch_add(1, std::memory_order_release);
    }
    void offer_bound(Cost bound) {
        const std::lock_guard lock(mutex_);
        if (bound <= best_.lower_bound) return;
        best_.lower_bound = bound;
        version_.fetch_add(1, std::memory_order_release);
    }

private:
    mutable std::mutex mutex_;
    std::atomic<std::uint64_t> version_{0};
    Incumbent best_{{}, kInfinite, 0};
};

}  // namespace fsplan
