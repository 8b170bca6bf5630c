// h_max: in which round, and at which cost, the facts of the relaxation become reachable from a state.
//
// A generalised Dijkstra in rounds of equal cost. An operator waits until its last precondition is reached, is then due
// at that cost plus its own, and brings its effects when its turn comes; so nothing is ever decreased or stale. The
// exploration ends when the goal is reached.
//
// Up to kMostDense facts are sets of bits, and every round looks at all operators (dense_exploration.hpp). For more facts,
// or too many operators for looking to be cheap, there is one counter for each operator.
#pragma once

#include <memory>

#include "heuristics/plan_steps.hpp"
#include "heuristics/relaxation.hpp"
#include "task/layout.hpp"

namespace fsplan {

inline constexpr std::size_t kMostDense = 512;

class MaxExploration {
public:
    virtual ~MaxExploration() = default;
    // h_max; kDeadEnd where the goal is unreachable. Supporters can be asked for only if they are announced.
    virtual Cost explore(const Word* state, bool with_supporters) = 0;
    // After an exploration that reached the goal, adds the operators of the relaxed plan: from the goal back, every
    // fact not in the state brings its supporter and the facts that needs. Of the operators that reach a fact at its
    // h_max, the one whose preconditions' h_max have the least sum supports it, the first by number among equals.
    // Those that need only facts of the state are ready.
    virtual void supporters(PlanSteps& plan) = 0;
};

// All arguments must outlive the exploration.
std::unique_ptr<MaxExploration> make_max_exploration(const GroundTask& task, const Layout& layout,
                                                     const Relaxation& relaxation);

}  // namespace fsplan
