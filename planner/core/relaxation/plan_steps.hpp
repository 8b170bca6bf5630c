// Collects the actions of a relaxed plan; an action is counted once.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

class PlanSteps {
public:
    // ready_only: an action is applicable iff all preconditions of its operator hold in the state.
    PlanSteps(std::size_t actions, bool ready_only) : ready_only_(ready_only), in_plan_(actions) {}

    void clear() {
        cost_ = 0;
        actions_.clear();
        candidates_.clear();
        if (++number_ != 0) return;
        std::fill(in_plan_.begin(), in_plan_.end(), 0);
        number_ = 1;
    }
    // action is kNoAction for a rule or a default.
    void add(ActionId action, Cost cost, bool ready) {
        if (action == kNoAction || std::exchange(in_plan_[action], number_) == number_) return;
        cost_ += cost;
        actions_.push_back(action);
        if (ready || !ready_only_) candidates_.push_back(action);
    }
    const std::vector<ActionId>& actions() const { return actions_; }
    std::int64_t cost() const { return cost_; }
    // Actions that may be applicable.
    std::vector<ActionId>& candidates() { return candidates_; }
    const std::vector<ActionId>& candidates() const { return candidates_; }

private:
    bool ready_only_;
    std::int64_t cost_ = 0;
    std::uint32_t number_ = 0;            // number of the current plan
    std::vector<std::uint32_t> in_plan_;  // action -> number of the last plan it was in
    std::vector<ActionId> actions_, candidates_;
};

}  // namespace fsplan
