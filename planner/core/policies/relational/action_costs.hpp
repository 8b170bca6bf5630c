// Compares the cost of an applicable action with that of the cheapest action of the same kind. A kind is a hash of the
// properties that its actions share: schema, an argument, or the colours of the arguments. If all actions of a task
// have the same cost, this class is not used.
#pragma once

#include "policies/relational/hash_table.hpp"
#include "task/task.hpp"

namespace fsplan::relational {

inline bool costs_differ(const GroundTask& task) {
    return std::ranges::adjacent_find(task.cost, std::not_equal_to<>()) != task.cost.end();
}

class ActionCosts {
public:
    // The task must outlive the object. `differ` tells whether actions of the task differ in cost.
    ActionCosts(const GroundTask& task, bool differ) : task_(task), differ_(differ) {}

    bool differ() const { return differ_; }

    void clear() { least_.clear(least_.size()); }
    void add(Hash kind, ActionId action) {
        const Cost* least = least_.find(kind);
        if (least == nullptr || task_.cost[action] < *least) least_.insert(kind, task_.cost[action]);
    }
    // Class of the ratio cost / least cost of the kind: 0 for ratio 1, 1 up to ratio 1.5, 2 up to 2, 3 up to 4, else 4.
    std::uint8_t rank(Hash kind, ActionId action) const {
        const std::int64_t least = least_[kind], cost = task_.cost[action];
        if (cost == least) return 0;
        if (2 * cost <= 3 * least) return 1;
        return cost <= 2 * least ? 2 : cost <= 4 * least ? 3 : 4;
    }

private:
    const GroundTask& task_;
    bool differ_;
    HashTable<Cost> least_;  // kind -> least cost
};

}  // namespace fsplan::relational
