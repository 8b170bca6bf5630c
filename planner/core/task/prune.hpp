// Prunes a task for plans from one initial state: actions and effects that no state on a plan permits are removed.
#pragma once

#include "task/fact_pairs.hpp"

namespace fsplan {

// Variables, facts and action numbers are the same, so states, layouts and plans keep their meaning. But
//   - actions that no plan uses have no effects, and effects that never happen on a plan are removed;
//   - if an action sets a variable that can only have one value before, this value becomes a precondition;
//   - if goal states can only have one value of a variable, this value becomes a goal.
// Every plan from the initial state, or from a state that is reachable and has a plan, is a plan of the pruned task:
// lower bounds and admissible heuristics of the pruned task hold for the task. For other states they do not. If the
// analysis takes too much work, the result is the task itself with this initial state.
GroundTask pruned(const GroundTask& task, std::span<const std::int32_t> start, Budget& watch);

}  // namespace fsplan
