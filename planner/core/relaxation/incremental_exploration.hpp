// h_max of states that follow each other, for example along a plan: only facts whose cost changes from one state to the
// next are processed.
//
// Every fact has a cost (h_max of this fact) and a witness, an operator that reaches it at this cost; an operator has a
// value, the greatest cost of its preconditions. A new state is entered in three steps:
//   lower    facts that have become true get cost 0, and cheaper costs spread as in Dijkstra's algorithm;
//   raise    facts that are no longer true lose their cost, by ascending cost also those without another witness;
//   settle   these facts get the costs that the remaining operators give them, which spread as in the first step.
// A fact that is raised costs less than the facts that are raised because of it, since operators cost more than 0. So
// this exploration is for relaxations whose operators all do.
//
// Example: a truck drives from a to b. First b costs 0, and all places that are nearer to b than to a get cheaper. Then
// a loses its cost 0, and with it the places on the other side of a; a road from b to a gives them costs again. Parcels
// in other trucks are not visited.
#pragma once

#include "relaxation/max_exploration.hpp"

namespace fsplan {

// Whether all operators except the goal cost more than 0.
bool suits_incremental_exploration(const Relaxation& relaxation);

// The relaxation without effects and operators that change neither the h_max of goal facts nor relaxed plans, whatever
// the state, if operators cost more than 0:
//   - An effect f is removed from all operators if every operator that needs f has only effects which each operator
//     that adds f has, too, or needs. So they are reached before f is of use. Example: the only use of "a is on b" is
//     to pick up a, which makes a held and b clear; but to put a on b, a must be held and b clear. (If a is on b in the
//     state, the operators that need this still apply.)
//   - An operator is removed if an earlier one costs no more, needs no other facts, and has the same effects or more:
//     an earlier operator also wins ties between supporters.
Relaxation without_detours(Relaxation relaxation);

// All arguments must outlive the exploration; the relaxation must suit.
std::unique_ptr<MaxExploration> make_incremental_exploration(const GroundTask& task, const Layout& layout,
                                                             const Relaxation& relaxation);

}  // namespace fsplan
