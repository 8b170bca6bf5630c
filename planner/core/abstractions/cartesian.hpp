// Cartesian abstractions, refined where their cheapest paths fail (counterexample-guided abstraction refinement).
//
// An abstract state is a set of values per variable and stands for all states with one of these values for each. At first
// there is one, with all values. Then, again and again: the cheapest abstract path from the start to the goal is followed in
// the task. Where an action of it cannot be applied, or leads elsewhere, or the goal does not hold at its end, the abstract
// state where that happens is split in two by the values of one variable, so that the same path will not be found again.
// A split looks only at the transitions of the state that it splits, and of each only at the variable that it splits.
//
// Example: a truck at A shall bring a parcel from B. The only abstract state satisfies the goal, so it is split into
// "parcel delivered" and not; "unload" leads from one to the other, but the parcel is not in the truck: the second is split
// by that, and so on.
//
// Conditions on derived facts are taken to hold. Tasks with conditional effects have no such abstractions.
#pragma once

#include <span>
#include <vector>

#include "abstractions/abstraction.hpp"
#include "task/task.hpp"
#include "work_watch.hpp"

namespace fsplan {

struct RefinementLimits {
    std::size_t states = 1'000;      // per abstraction
    std::size_t work = 5'000'000;    // all together: transitions looked at
    std::size_t abstractions = 50;
};

// One for each goal fact that does not hold at the start, one for all of them.
std::vector<Abstraction> cartesian_abstractions(const GroundTask& task, std::span<const std::int32_t> start,
                                                const RefinementLimits& limits, WorkWatch& watch);

}  // namespace fsplan
