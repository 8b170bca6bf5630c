// The part of a task that plans from a start can use: what no state on the way to the goal allows is left out.
#pragma once

#include <span>

#include "task/fact_pairs.hpp"

namespace fsplan {

// The same variables, facts and action numbers, so states, layouts and plans mean the same. But
//   - an action that no plan uses has no effects, and an effect that never happens on the way is gone;
//   - where an action sets a variable whose value before can only be one, that value is a precondition;
//   - where a goal state can only have one value of a variable, that value is a goal.
// Every plan from the start, or from a state that is reached from there and has a plan, is a plan of the pruned task: lower
// bounds and admissible heuristics of the pruned task hold for the task. For other states they do not.
// The task itself with this start, where finding out takes too much work.
GroundTask pruned(const GroundTask& task, std::span<const std::int32_t> start, WorkWatch& watch);

}  // namespace fsplan
