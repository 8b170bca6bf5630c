// Relaxed plans of a state and its successors: h_FF, helpful actions, facts that the plan needs, dead ends.
//
// They are computed by the exploration of h_max, independently of the heuristic of the search, because the weights were
// learned for these values.
#pragma once

#include "relaxation/max_exploration.hpp"
#include "relaxation/relaxed_plan.hpp"
#include "task/layout.hpp"

namespace fsplan::relational {

class RelaxedPlans {
public:
    // The task must outlive the object. Without relaxed plans no action is helpful, no fact is needed, and h_FF is 0.
    RelaxedPlans(const GroundTask& task, bool relaxed_plans)
        : task_(task), relaxed_plans_(relaxed_plans), layout_(task), relaxation_(relax(task)),
          work_of_exploration_(relaxation_.work()),
          exploration_(make_exploration_of_sequence(task, layout_, relaxation_)), plan_(task, layout_),
          state_(layout_.words), successor_(layout_.words), need_(task.fact_count()),
          is_needed_(task.variable_count()) {}
    RelaxedPlans(const RelaxedPlans&) = delete;
    RelaxedPlans& operator=(const RelaxedPlans&) = delete;

    // Sets the state and its applicable actions, in ascending order. A dead end has no relaxed plan, so no fact is
    // needed.
    void set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions) {
        if (!relaxed_plans_) return helpful_.assign(actions.size(), 0);
        for (std::size_t variable = 0; variable < values.size(); ++variable)
            if (task_.layer[variable] < 0)
                layout_.field[variable].set(state_.data(), static_cast<Word>(values[variable]));
        guide_ = evaluate(state_.data());
        mark_helpful(actions);
        count_needs();
    }

    bool is_helpful(std::size_t edge) const { return helpful_[edge] != 0; }
    Cost guide() const { return guide_; }
    std::span<const ActionId> plan() const { return plan_.actions(); }
    // Number of actions of the relaxed plan, and of helpful actions, that have a fact in their precondition; the goal
    // counts as one.
    struct Need {
        std::uint32_t by_plan = 0, by_helpful = 0;
    };
    const Need& need(FactId fact) const { return need_[fact]; }
    // Whether some fact of the variable is needed.
    bool is_needed(std::uint32_t variable) const { return is_needed_[variable] != 0; }

    // h_FF of the successor in which these effects, in order, are applied; kDeadEnd if no goal is reachable.
    Cost guide_after(std::span<const FactId> effects) {
        std::copy(state_.begin(), state_.end(), successor_.begin());
        for (const FactId fact : effects) {
            const std::uint32_t variable = layout_.variable_of[fact];
            layout_.field[variable].set(successor_.data(), static_cast<Word>(fact - task_.first_fact[variable]));
        }
        return evaluate(successor_.data());
    }

    // Work of all explorations so far.
    std::uint64_t work() const { return work_; }

private:
    // Both `actions` and the helpful actions are sorted.
    void mark_helpful(std::span<const ActionId> actions) {
        helpful_.assign(actions.size(), 0);
        auto from = actions.begin();
        for (const ActionId helpful : plan_.helpful()) {
            from = std::lower_bound(from, actions.end(), helpful);
            if (from != actions.end() && *from == helpful)
                helpful_[static_cast<std::size_t>(from - actions.begin())] = 1;
        }
    }
    void count_needs() {
        for (const FactId fact : needed_) {
            need_[fact] = {};
            is_needed_[layout_.variable_of[fact]] = 0;
        }
        needed_.clear();
        if (guide_ == kDeadEnd) return;
        for (const FactId fact : task_.goal) add_need(fact, &Need::by_plan);
        for (const ActionId action : plan_.actions())
            for (const FactId fact : task_.precondition[action]) add_need(fact, &Need::by_plan);
        for (const ActionId action : plan_.helpful())
            for (const FactId fact : task_.precondition[action]) add_need(fact, &Need::by_helpful);
    }
    void add_need(FactId fact, std::uint32_t Need::* count) {
        if (need_[fact].by_plan == 0) {
            needed_.push_back(fact);
            is_needed_[layout_.variable_of[fact]] = 1;
        }
        ++(need_[fact].*count);
    }
    Cost evaluate(const Word* state) {
        work_ += work_of_exploration_;
        if (exploration_->explore(state, true) != kDeadEnd) return plan_.read(*exploration_, state);
        plan_.clear();
        return kDeadEnd;
    }

    const GroundTask& task_;
    bool relaxed_plans_;
    Layout layout_;
    Relaxation relaxation_;
    std::uint64_t work_of_exploration_;
    std::unique_ptr<MaxExploration> exploration_;
    RelaxedPlan plan_;
    std::vector<Word> state_, successor_;
    Cost guide_ = 0;
    std::uint64_t work_ = 0;
    std::vector<std::uint8_t> helpful_;    // per edge
    std::vector<Need> need_;               // per fact
    std::vector<FactId> needed_;           // facts that the goal or an action of the relaxed plan needs
    std::vector<std::uint8_t> is_needed_;  // per variable
};

}  // namespace fsplan::relational
