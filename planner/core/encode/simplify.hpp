// Removes the parts of a ground task that no plan needs.
#pragma once

#include "encode/translate.hpp"
#include "task/task.hpp"

namespace fsplan {

// Removes unreachable facts and actions, constant variables and, if only_relevant, variables that cannot influence the
// goal. Sets solvable_relaxed; if it is false, the result has a goal that no action achieves.
GroundTask simplify(Translation translation, bool only_relevant);

// Sets the layers of the derived variables. Throws std::invalid_argument if a variable depends on its own negation.
void stratify(GroundTask& task);

}  // namespace fsplan
