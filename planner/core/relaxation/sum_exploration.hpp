// h_add: the cost of a fact is the least sum, over the operators that add it, of the operator's cost and the costs of
// all its preconditions.
//
// The exploration proceeds in rounds as for h_max (max_exploration.hpp), but the key of an operator is the sum of its
// preconditions' costs plus its own cost. The supporter of a fact is the operator that reached it; if several do in one
// round, the one with the lowest number. So supporters are acyclic and form a relaxed plan.
#pragma once

#include "relaxation/batch_queues.hpp"
#include "relaxation/fact_reader.hpp"
#include "relaxation/relaxation.hpp"
#include "relaxation/supporters.hpp"

namespace fsplan {

class SumExploration {
public:
    // The arguments must outlive the exploration.
    SumExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : relaxation_(relaxation), reader_(task, layout, relaxation), queue_(relaxation.operator_count()),
          fact_cost_(relaxation.fact_count), round_(relaxation.fact_count), supporter_(relaxation.fact_count),
          supporters_(relaxation) {}

    // Returns h_add; kDeadEnd if the goal is unreachable.
    Cost explore(const Word* state) {
        start(state);
        const auto goal = relaxation_.goal();
        for (std::uint32_t round = 2;; ++round) {
            for (auto fact : newly_reached_) {
                for (auto op : relaxation_.needed_by[fact]) {
                    sum_[op] = saturating_add(sum_[op], fact_cost_[fact]);
                    if (--missing_[op] == 0) queue_.push(op, sum_[op]);
                }
            }
            if (missing_[goal] == 0) return sum_[goal];
            if (queue_.empty()) return kDeadEnd;
            batch_.clear();
            newly_reached_.clear();
            queue_.pop(batch_);
            for (auto op : batch_) apply(op, round);
        }
    }
    // After an exploration that reached the goal, adds the operators of the relaxed plan.
    void supporters(PlanSteps& plan) {
        supporters_.read([&](auto fact) { return supporter_[fact]; },
                         [&](auto fact) { return supporter_[fact] == kNoOperator; }, plan);
    }

private:
    void start(const Word* state) {
        queue_.clear();
        missing_ = relaxation_.precondition_count;
        sum_ = relaxation_.cost;
        std::fill(round_.begin(), round_.end(), 0);
        reader_.read(state, newly_reached_);
        for (auto fact : newly_reached_) {
            round_[fact] = 1;
            supporter_[fact] = kNoOperator;
            fact_cost_[fact] = 0;
        }
        for (auto op : relaxation_.unconditional) queue_.push(op, relaxation_.cost[op]);
    }
    void apply(OperatorId op, std::uint32_t round) {
        for (auto fact : relaxation_.effect[op]) {
            if (round_[fact] == round && op < supporter_[fact]) supporter_[fact] = op;
            if (round_[fact] != 0) continue;
            round_[fact] = round;
            supporter_[fact] = op;
            fact_cost_[fact] = sum_[op];
            newly_reached_.push_back(fact);
        }
    }

    const Relaxation& relaxation_;
    FactReader reader_;
    RadixQueue queue_;

    std::vector<std::uint32_t> missing_;  // per operator: preconditions not yet reached
    std::vector<Cost> sum_;               // per operator: own cost + costs of the preconditions reached
    std::vector<Cost> fact_cost_;
    std::vector<std::uint32_t> round_;   // fact -> round in which it was reached; 0 if not yet
    std::vector<OperatorId> supporter_;  // kNoOperator for a fact of the state
    std::vector<std::uint32_t> newly_reached_;
    std::vector<OperatorId> batch_;
    Supporters supporters_;
};

}  // namespace fsplan
