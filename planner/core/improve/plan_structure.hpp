// Dependencies between the steps of a plan, for plan improvement.
// Three functions for planner/plans/improve.py, each with the question that it answers:
//   without_unnecessary  which steps can be left out so that the others still reach the goal?
//   regrouped            in which order of the same steps are related steps adjacent?
//   needed_after         which facts must hold after the first n steps so that the other steps reach the goal?
//
// Regrouping matters because the steps of independent agents interleave in the plans that searches find. Consider two
// vans whose steps alternate: a window of ten consecutive steps then has five steps of each van, which may be too few
// to find an improvement for either. After regrouping, the window has ten steps of one van.
#pragma once

#include "task/ground_graph.hpp"

namespace fsplan {

using ActionSequence = std::vector<ActionId>;

class PlanStructure {
public:
    // Task and graph must outlive this object.
    PlanStructure(const GroundTask& task, GroundGraph& graph);

    // Removes the most expensive set of steps that can be left out, found greedily, and returns the remaining plan.
    // This is action elimination: if a step is removed, the later steps that depended on it are removed, too. In long
    // plans steps are tried in the order of the plan, not by cost.
    ActionSequence without_unnecessary(const ActionSequence& plan);
    // Returns the same steps in another order that reaches the same state. The next step is always one whose
    // predecessors are done and that shares the most variables with the step before it; ties are broken at random by
    // the seed. This compares all pairs of steps, so plans of more than 2,000 steps are returned unchanged.
    ActionSequence regrouped(const ActionSequence& plan, std::uint64_t seed);
    // Returns facts such that the plan's steps from `first` on reach the goal from every state in which these facts
    // hold. `state` is the state in which step `first` is applied.
    std::vector<FactId> needed_after(const ActionSequence& plan, std::size_t first, const Word* state) const;

    // Work of all calls so far, in the units of contract/request.hpp.
    std::uint64_t work() const { return work_; }
    void add_work(std::uint64_t work) { work_ += work; }

    // The packed states that the plan visits, beginning with the initial state. Throws where a step is not applicable.
    std::vector<std::vector<Word>> states_along(const ActionSequence& plan);

private:
    bool depends(ActionId earlier, ActionId later) const;
    std::size_t shared_variables(ActionId left, ActionId right) const;
    ActionSequence thinned(ActionSequence plan);
    std::optional<ActionSequence> without(const ActionSequence& plan, std::size_t dropped, const Word* state_before);
    std::int64_t cost(const ActionSequence& plan) const;
    bool regression_is_exact(std::span<const ActionId> steps) const;
    void regress(ActionId action, std::vector<std::int64_t>& wanted) const;

    const GroundTask& task_;
    GroundGraph& graph_;
    const std::vector<std::uint32_t>& variable_;  // fact -> its variable
    Rows reads_;   // action -> variables of its preconditions and of its effects' conditions, sorted
    Rows writes_;  // action -> variables it may change, sorted
    bool has_derived_;
    std::uint64_t work_ = 0;
};

}  // namespace fsplan
