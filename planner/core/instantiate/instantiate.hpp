// Grounds a lifted task: computes its reachable atoms and applicable actions.
#pragma once

#include "base/budget.hpp"
#include "instantiate/propositional.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

// Throws std::invalid_argument if a cost has no value, LimitReached if a limit of the watch is reached. Disjunctions
// that are too large to be multiplied out are replaced by derived predicates, which are added to the lifted task.
// Actions without effects are omitted. Throws TooManyActions if more than most_actions are reachable.
propositional::Task instantiate(lifted::Task& task, Budget& watch,
                                std::size_t most_actions = std::numeric_limits<std::size_t>::max());

}  // namespace fsplan
