// Cartesian abstractions, refined where their cheapest paths fail (counterexample-guided abstraction refinement).
//
// An abstract state is a set of values per variable and stands for all states with one of these values for each. At
// first there is one, with all values. Each iteration executes a cheapest abstract path from the initial state to the
// goal in the task. If an action is not applicable, or leads to another abstract state, or the last state is not a
// goal, the abstract state of that flaw is split in two by the values of one variable, so that the same path is not
// found again. A split updates only the transitions of the split state, and tests each only on the variable of the
// split.
//
// Example: a truck at A shall bring a parcel from B. The only abstract state satisfies the goal, so it is split into
// "parcel delivered" and not; "unload" leads from one to the other, but the parcel is not in the truck: the second is
// split by that, and so on.
//
// Conditions on derived facts count as true. Tasks with conditional effects are not supported.
#pragma once

#include "abstractions/abstraction.hpp"
#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

struct RefinementLimits {
    std::size_t states = 1'000;    // per abstraction
    std::size_t work = 5'000'000;  // transitions visited while all abstractions are refined
    std::size_t abstractions = 50;
};

// One abstraction for each goal fact that does not hold in the initial state, and one for all of them.
std::vector<Abstraction> cartesian_abstractions(const GroundTask& task, std::span<const std::int32_t> start,
                                                const RefinementLimits& limits, Budget& watch);

}  // namespace fsplan
