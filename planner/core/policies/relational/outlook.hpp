// Relaxed plans of a state and its successors: h_FF, helpful actions, facts that the plan needs, dead ends.
//
// They are computed by the exploration of h_max, independently of the heuristic of the search, because the weights were
// learned for these values.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "relaxation/max_exploration.hpp"
#include "relaxation/relaxed_plan.hpp"
#include "task/layout.hpp"

namespace fsplan::relational {

class Outlook {
public:
    // The task must outlive the outlook.
    explicit Outlook(const GroundTask& task);
    Outlook(const Outlook&) = delete;
    Outlook& operator=(const Outlook&) = delete;

    // Sets the state and its applicable actions, ascending. At a dead end no fact is needed.
    void set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions);

    bool is_helpful(std::size_t edge) const { return helpful_[edge] != 0; }
    Cost guide() const { return guide_; }
    std::span<const ActionId> plan() const { return plan_.actions(); }
    // Number of actions of the relaxed plan, and of helpful actions, that have a fact in their precondition; the goal
    // counts as one.
    struct Need {
        std::uint32_t all = 0, now = 0;
    };
    const Need& need(FactId fact) const { return need_[fact]; }
    // Whether some fact of the variable is needed.
    bool is_needed(std::uint32_t variable) const { return is_needed_[variable] != 0; }

    // h_FF of the successor in which these effects, in order, are applied; kDeadEnd if no goal is reachable.
    Cost guide_after(std::span<const FactId> effects);

    // Work of all explorations so far.
    std::uint64_t work() const { return work_; }

private:
    void mark_helpful(std::span<const ActionId> actions);
    void count_needs();
    void add_need(FactId fact, std::uint32_t Need::* count);
    Cost evaluate(const Word* state);

    const GroundTask& task_;
    Layout layout_;
    Relaxation relaxation_;
    std::unique_ptr<MaxExploration> exploration_;
    RelaxedPlan plan_;
    std::vector<Word> state_, successor_;
    Cost guide_ = 0;
    std::uint64_t work_ = 0;
    std::vector<std::uint8_t> helpful_;    // per edge
    std::vector<Need> need_;               // per fact
    std::vector<FactId> needed_;           // facts whose need is not 0
    std::vector<std::uint8_t> is_needed_;  // per variable
};

}  // namespace fsplan::relational
