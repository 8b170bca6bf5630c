// Landmarks of a ground task: facts, or small sets of facts one of which, that hold at some time on every way to the goal;
// and orderings between them. The basis of the heuristics `lmcount` and `lmcost`.
//
// Fact landmarks. Without deletes, a fact is a landmark iff the goal is unreachable once no operator may bring the fact. A
// landmark occurs in every relaxed plan, so only the facts of one relaxed plan are tested, and the test finds all of the
// delete relaxation's landmarks. What stays reachable without landmark L are the facts that can hold before L does; the
// operators that bring L and need only such facts are its first achievers.
//
// Orderings. A fact that every first achiever of L needs holds immediately before L first does (a greedy-necessary ordering).
// Consider an elevator task: `boarded p` is reached and its every first achiever needs `lift-at f`; if the lift has left f
// before p has boarded, `lift-at f` is needed again.
// Landmark B comes reasonably before A if reaching B once A holds would destroy A, which is needed later, with B or at the
// end. In the blocks world, with goals on(a, b) and on(b, c), on(b, c) comes first: to move b, a has to leave it again.
//
// Disjunctive landmarks. If every first achiever of L needs a fact of one predicate, one of these facts holds before L.
#pragma once

#include <vector>

#include "heuristics/relaxation.hpp"

namespace fsplan {

struct Landmark {
    std::vector<FactId> facts;               // one of them has to hold; facts of variables that actions set
    bool is_goal = false;                    // has to hold at the end
    Cost least_cost = 0;                     // of the actions that bring it
    std::vector<std::uint32_t> predecessors; // landmarks that come before it, by any ordering
    std::vector<std::uint32_t> needed_for;   // landmarks before which it has to hold immediately
};

// Empty where the goal is unreachable without deletes. Finding them takes a bounded amount of work; on very large tasks not
// all are found.
std::vector<Landmark> find_landmarks(const GroundTask& task, const Relaxation& relaxation, WorkWatch& watch);

}  // namespace fsplan
