// Relaxed reachability: fills the live relations and the instances of a program by semi-naive evaluation.
#pragma once

#include "instantiate/program.hpp"

namespace fsplan {

// Delete effects and negated fluent literals are ignored; static literals, types and (in)equalities are not. Afterwards
// the relation of a fluent predicate contains its reachable atoms, and the instances are those with a reachable
// precondition or body.
void reach(Program& program);

}  // namespace fsplan
