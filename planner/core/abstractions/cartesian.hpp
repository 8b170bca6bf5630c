// Cartesian abstractions, refined where their cheapest paths fail (counterexample-guided abstraction refinement).
//
// An abstract state has a set of values for each variable; it contains the states whose values are in these sets.
// Initially there is one abstract state with all values. Each iteration executes a cheapest abstract path from the
// initial state to the goal in the task. If an action is not applicable, or leads to another abstract state, or the
// last state is not a goal (a flaw), the abstract state of the flaw is split in two by the values of one variable, so
// that the same path is not found again. A split updates only the transitions of the split state, and tests each only
// on the variable of the split.
//
// Example: a truck at A shall fetch a parcel from B. The only abstract state contains goal states, so the empty path is
// the first one. It fails in the initial state, so the abstract state is split into "parcel delivered" and "parcel not
// delivered". Now the path is "unload", which fails because the parcel is not in the truck; so the second abstract
// state is split into "parcel in the truck" and "parcel elsewhere", and so on.
//
// Conditions on derived facts count as true. Tasks with conditional effects are not supported.
#pragma once

#include "abstractions/abstraction.hpp"
#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

struct RefinementLimits {
    std::size_t states = 1'000;    // limit for each abstraction
    std::size_t work = 5'000'000;  // limit on the number of visited transitions, for all abstractions together
    std::size_t abstractions = 50;
};

// One abstraction for each goal fact that does not hold in the initial state, and one for all of them.
std::vector<Abstraction> cartesian_abstractions(const GroundTask& task, std::span<const std::int32_t> start,
                                                const RefinementLimits& limits, Budget& watch);

}  // namespace fsplan
