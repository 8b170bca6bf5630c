// Finds the atoms that can change and are relevant to the goal, without generating ground actions.
//
// These are the atoms to which grounding and encoding give variables, except that atoms are not removed because a mutex
// group excludes them: the delete relaxation reaches the atom; the goal depends on it through preconditions and effects
// of reachable actions; and if it is true initially, a reachable action deletes it.
#pragma once

#include "base/budget.hpp"
#include "instantiate/relation.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

struct FluentAtoms {
    // Per predicate, in ascending order: the atoms that can change, and the initial atoms that are true in every state.
    std::vector<std::vector<std::vector<Object>>> fluent, constant;
    bool goal_reachable = true;  // whether the delete relaxation reaches the goal
};

struct UnsupportedLifted : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Throws UnsupportedLifted if the task has derived predicates, constraints, or effects that are conditional or
// quantified; LimitReached if a limit of the watch is reached.
FluentAtoms find_fluent_atoms(const lifted::Task& task, Budget& watch);

}  // namespace fsplan
