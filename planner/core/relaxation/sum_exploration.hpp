// h_add: the cost of a fact is its cheapest operator's cost plus the costs of all its preconditions.
//
// The same rounds as for h_max (max_exploration.hpp), but an operator is due at the sum of its preconditions' costs
// plus its own. The supporter of a fact is the operator that reached it, of several in one round the first by number;
// so supporters are acyclic and form a relaxed plan.
#pragma once

#include <vector>

#include "relaxation/batch_queues.hpp"
#include "relaxation/fact_reader.hpp"
#include "relaxation/relaxation.hpp"
#include "relaxation/supporters.hpp"

namespace fsplan {

class SumExploration {
public:
    // The arguments must outlive the exploration.
    SumExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation);

    // h_add; kDeadEnd where the goal is unreachable.
    Cost explore(const Word* state);
    // After an exploration that reached the goal, adds the operators of the relaxed plan.
    void supporters(PlanSteps& plan);

private:
    void start(const Word* state);
    void apply(OperatorId op, std::uint32_t round);

    const Relaxation& relaxation_;
    FactReader reader_;
    RadixQueue queue_;

    std::vector<std::uint32_t> missing_;  // per operator: preconditions not yet reached
    std::vector<Cost> sum_;               // per operator: own cost + costs of the preconditions reached
    std::vector<Cost> fact_cost_;
    std::vector<std::uint32_t> round_;   // fact -> round in which it was reached; 0 if not yet
    std::vector<OperatorId> supporter_;  // kNoOperator for a fact of the state
    std::vector<std::uint32_t> fresh_;
    std::vector<OperatorId> batch_;
    Supporters supporters_;
};

}  // namespace fsplan
