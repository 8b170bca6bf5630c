// Landmarks of a ground task and orderings between them. A landmark is a fact that is true at some time in every plan,
// or a small set of facts one of which is. The heuristics `lmcount` and `lmcost` use them.
//
// Fact landmarks. In the delete relaxation a fact is a landmark iff the goal is unreachable without the achievers of
// the fact. A landmark occurs in every relaxed plan, so it suffices to test the facts of one relaxed plan; this finds
// all landmarks of the delete relaxation. The facts that are reachable without landmark L are those that can hold
// before L; the achievers of L whose preconditions are such facts are its first achievers.
//
// Orderings. A fact that every first achiever of L needs holds immediately before L first does (a greedy-necessary
// ordering). Example: in an elevator task, every first achiever of `boarded p` needs `lift-at f`. If the lift has left
// f before p has boarded, `lift-at f` is needed again. Landmark B comes reasonably before A if achieving B after A
// would make A false, although A is needed later, together with B or at the end. Example: in the blocks world with
// goals on(a, b) and on(b, c), on(b, c) comes first, because b can be moved only after a has been removed from it.
//
// Disjunctive landmarks. If every first achiever of L needs a fact of one predicate, one of these facts holds before L.
#pragma once

#include "relaxation/relaxation.hpp"

namespace fsplan {

struct Landmark {
    std::vector<FactId> facts;                // at least one of them holds at some time in every plan; no derived facts
    bool is_goal = false;                     // whether it is a goal fact
    Cost least_cost = 0;                      // least cost of its achievers
    std::vector<std::uint32_t> predecessors;  // landmarks that come before it, by any ordering
    std::vector<std::uint32_t> needed_for;  // landmarks immediately before which it holds (greedy-necessary orderings)
};

struct FoundLandmarks {
    std::vector<Landmark> landmarks;
    std::uint64_t work;  // operators visited
};

// Empty if the goal is unreachable in the delete relaxation. The work is bounded, so on very large tasks some landmarks
// are not found.
FoundLandmarks find_landmarks(const GroundTask& task, const Relaxation& relaxation, Budget& watch);

}  // namespace fsplan
