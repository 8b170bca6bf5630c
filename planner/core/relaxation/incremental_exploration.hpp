// h_max of states that follow each other, for example along a plan: only facts whose cost changes from one state to the
// next are processed.
//
// Every fact has a cost (h_max of this fact) and a witness, an operator that reaches it at this cost; an operator has a
// value, the greatest cost of its preconditions. A new state is entered in three steps:
//   lower    facts that have become true get cost 0, and cheaper costs spread as in Dijkstra's algorithm;
//   raise    facts that are no longer true lose their cost; so do, by ascending cost, facts that have lost their witness
//            and have no other one;
//   settle   facts without a cost get one from the operators that can still be applied, and costs spread as before.
// An effect costs more than its preconditions, so raising by ascending cost is correct, if all operators cost more than 0.
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
//   - An effect f is removed from all operators if all effects of the operators that need f are effects or preconditions
//     of each operator that adds f: they are reached before f can be used. Example: the only use of "a is on b" is
//     to pick up a, which makes a held and b clear; but to put a on b, a must be held and b clear. (If a is on b in the
//     state, the operators that need this still apply.)
//   - An operator is removed if one with a lower number dominates it, that is, costs no more, needs no other facts, and
//     has at least its effects. The dominating operator also wins ties between supporters, which are broken by number.
Relaxation without_detours(Relaxation relaxation);

// All arguments must outlive the exploration; suits_incremental_exploration(relaxation) must hold.
std::unique_ptr<MaxExploration> make_incremental_exploration(const GroundTask& task, const Layout& layout,
                                                             const Relaxation& relaxation);

}  // namespace fsplan
