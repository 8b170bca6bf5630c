#include "relaxation/sum_exploration.hpp"

#include <algorithm>

namespace fsplan {

SumExploration::SumExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
    : relaxation_(relaxation), reader_(task, layout, relaxation), queue_(relaxation.operator_count()),
      fact_cost_(relaxation.fact_count), round_(relaxation.fact_count), supporter_(relaxation.fact_count),
      supporters_(relaxation) {}

void SumExploration::start(const Word* state) {
    queue_.clear();
    missing_ = relaxation_.precondition_count;
    sum_ = relaxation_.cost;
    std::fill(round_.begin(), round_.end(), 0);
    reader_.read(state, fresh_);
    for (auto fact : fresh_) {
        round_[fact] = 1;
        supporter_[fact] = kNoOperator;
        fact_cost_[fact] = 0;
    }
    for (auto op : relaxation_.unconditional) queue_.push(op, relaxation_.cost[op]);
}

inline void SumExploration::apply(OperatorId op, std::uint32_t round) {
    for (auto fact : relaxation_.effect[op]) {
        if (round_[fact] == round && op < supporter_[fact]) supporter_[fact] = op;
        if (round_[fact] != 0) continue;
        round_[fact] = round;
        supporter_[fact] = op;
        fact_cost_[fact] = sum_[op];
        fresh_.push_back(fact);
    }
}

Cost SumExploration::explore(const Word* state) {
    start(state);
    const auto goal = relaxation_.goal();
    for (std::uint32_t round = 2;; ++round) {
        for (auto fact : fresh_) {
            for (auto op : relaxation_.needed_by[fact]) {
                sum_[op] = saturating_add(sum_[op], fact_cost_[fact]);
                if (--missing_[op] == 0) queue_.push(op, sum_[op]);
            }
        }
        if (missing_[goal] == 0) return sum_[goal];
        if (queue_.empty()) return kDeadEnd;
        batch_.clear();
        fresh_.clear();
        queue_.pop(batch_);
        for (auto op : batch_) apply(op, round);
    }
}

void SumExploration::supporters(PlanSteps& plan) {
    supporters_.read([&](auto fact) { return supporter_[fact]; },
                     [&](auto fact) { return supporter_[fact] == kNoOperator; }, plan);
}

}  // namespace fsplan
