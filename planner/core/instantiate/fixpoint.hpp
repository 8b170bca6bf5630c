// Relaxed reachability: fills the live relations and the instances of a program by semi-naive evaluation.
#pragma once

#include "instantiate/program.hpp"

namespace fsplan {

// Deletes and negated live literals are ignored, static literals, types and (in)equalities are not. Afterwards a live
// relation holds the reachable atoms, and the instances are those of reachable precondition or body.
void reach(Program& program);

}  // namespace fsplan
