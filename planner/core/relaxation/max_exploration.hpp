// h_max: the round in which each fact of the relaxation becomes reachable from a state, and the cost of this round.
//
// This is a generalised Dijkstra search in rounds of equal cost. When the last precondition of an operator is reached,
// the operator enters the queue with that cost plus its own; when it leaves the queue, its effects are reached. So keys
// never decrease and no entry becomes stale. The exploration ends when the goal is reached.
//
// Tasks with at most kMostDense facts use bit sets, and every round tests all operators (dense_exploration.hpp). Tasks
// with more facts, or very many operators, use a counter of unreached preconditions per operator.
#pragma once

#include "relaxation/plan_steps.hpp"
#include "relaxation/relaxation.hpp"
#include "task/layout.hpp"

namespace fsplan {

inline constexpr std::size_t kMostDense = 512;

class MaxExploration {
public:
    virtual ~MaxExploration() = default;
    // Returns h_max, kDeadEnd if the goal is unreachable. supporters() may be called only after with_supporters = true.
    virtual Cost explore(const Word* state, bool with_supporters) = 0;
    // After an exploration that reached the goal, adds the operators of the relaxed plan: from the goal backwards, the
    // supporter of every needed fact outside the state, whose preconditions are then needed, too. Among the operators
    // that reach a fact at its h_max, the supporter is the one with the least sum of h_max over its preconditions; ties
    // are broken by number. An operator is ready if all its preconditions hold in the state.
    virtual void supporters(PlanSteps& plan) = 0;
};

// All arguments must outlive the exploration.
std::unique_ptr<MaxExploration> make_max_exploration(const GroundTask& task, const Layout& layout,
                                                     const Relaxation& relaxation);
// An exploration for states of which each is similar to the one before, such as the states of a plan and their
// successors. It may remove parts of the relaxation that change no result (incremental_exploration.hpp).
std::unique_ptr<MaxExploration> make_exploration_of_sequence(const GroundTask& task, const Layout& layout,
                                                             Relaxation& relaxation);

}  // namespace fsplan
