// Relaxed exploration: in which order, and at which cost, the facts of the relaxation become reachable from a state.
//
// A generalised Dijkstra over operators. An operator has one counter, of preconditions not yet reached; at 0 it enters
// the queue once, under the cost of its effects; when it leaves, its effects that are new are reached at that cost. So
// nothing is ever decreased or stale. All operators of one key form a round: their effects are collected before any of
// them counts.
//
// Reachability by max   key = cost of the last precondition + own cost     the goal's key is h_max
// Reachability by sum   key = sum of the preconditions' costs + own cost   the goal's key is h_add
//
// A traced exploration also keeps, for every fact, its supporter: of the operators of the round that reached it the one
// of least summed cost, then of least number. Supporters are acyclic, so they give a relaxed plan in both cases.
#pragma once

#include <vector>

#include "ground/batch_queues.hpp"
#include "ground/fact_reader.hpp"
#include "ground/relaxation.hpp"

namespace fsplan {

class Exploration {
public:
    Exploration(const GroundTask& task, const Layout& layout);

    // kDeadEnd where the goal is unreachable.
    Cost max(const Word* state);
    Cost traced_max(const Word* state);
    Cost traced_sum(const Word* state);

    // After a traced exploration that reached the goal: the relaxed plan's actions, each once, in no order.
    const std::vector<ActionId>& relaxed_plan();

    const Relaxation& relaxation() const { return relaxation_; }

private:
    template <bool kSum, bool kTraced, class Queue>
    Cost explore(Queue& queue, const Word* state);
    void start(const Word* state);
    void support(std::uint32_t fact, OperatorId op, std::uint32_t round);

    Relaxation relaxation_;
    FactReader reader_;
    BatchQueues queues_;
    std::vector<std::uint32_t> precondition_count_;

    std::vector<std::uint32_t> missing_;
    std::vector<std::uint8_t> reached_;
    std::vector<std::uint32_t> fresh_;
    std::vector<OperatorId> batch_;

    std::vector<Cost> sum_;             // per operator: own cost + costs of the preconditions reached
    std::vector<Cost> fact_sum_;
    std::vector<OperatorId> supporter_;
    std::vector<std::uint32_t> round_;  // in which a fact was reached
    std::vector<ActionId> plan_;
    std::vector<std::uint32_t> open_;
    std::vector<std::uint8_t> visited_;
};

}  // namespace fsplan
