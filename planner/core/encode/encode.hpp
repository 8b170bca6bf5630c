// Encodes an instantiated task with finite-domain variables.
//
// Mutex groups become variables with one value per atom and one for "none of those"; an atom in no group becomes a
// binary variable. Parts that are unreachable, constant or irrelevant are removed: facts and actions
// that no relaxed plan reaches, actions whose precondition is contradicted by a mutex group, variables that are not
// ancestors of the goal in the causal graph, effects on them, and actions that are left without effects.
// If the goal is unreachable, the result is a task whose goal no action achieves, with solvable_relaxed = false.
#pragma once

#include "base/budget.hpp"
#include "instantiate/propositional.hpp"
#include "lifted/lifted_task.hpp"
#include "task/task.hpp"

namespace fsplan {

struct EncodeOptions {
    bool mutex_groups = true;   // if false, every atom becomes a binary variable
    bool only_relevant = true;  // if false, irrelevant parts are kept
};

// Throws LimitReached if a limit of the watch is reached.
GroundTask encode(const lifted::Task& lifted, const propositional::Task& task, Budget& watch,
                  const EncodeOptions& options = {});

}  // namespace fsplan
