#include "ground/exploration.hpp"

#include <algorithm>

namespace fsplan {

Exploration::Exploration(const GroundTask& task, const Layout& layout)
    : relaxation_(relax(task)), reader_(task, layout, relaxation_), queues_(relaxation_) {
    auto operators = relaxation_.operator_count();
    for (std::size_t o = 0; o < operators; ++o) {
        precondition_count_.push_back(static_cast<std::uint32_t>(relaxation_.precondition[o].size()));
    }
    reached_.resize(relaxation_.fact_count);
    sum_.resize(operators);
    fact_sum_.resize(relaxation_.fact_count);
    supporter_.resize(relaxation_.fact_count);
    round_.resize(relaxation_.fact_count);
    visited_.resize(std::max(relaxation_.fact_count, task.action_count()));
}

void Exploration::start(const Word* state) {
    missing_ = precondition_count_;
    std::fill(reached_.begin(), reached_.end(), 0);
    fresh_.clear();
    reader_.read(state, fresh_);
    for (auto fact : fresh_) reached_[fact] = 1;
}

inline void Exploration::support(std::uint32_t fact, OperatorId op, std::uint32_t round) {
    supporter_[fact] = op;
    fact_sum_[fact] = sum_[op];
    round_[fact] = round;
}

template <bool kSum, bool kTraced, class Queue>
Cost Exploration::explore(Queue& queue, const Word* state) {
    start(state);
    queue.clear();
    if constexpr (kTraced) {
        sum_ = relaxation_.cost;
        for (auto fact : fresh_) {
            supporter_[fact] = kNoOperator;
            fact_sum_[fact] = 0;
            round_[fact] = 0;
        }
    }
    const auto goal = relaxation_.goal();
    for (auto op : relaxation_.unconditional) {
        if (op != goal) queue.push(op, relaxation_.cost[op]);
    }
    Cost key = 0;
    for (std::uint32_t round = 1;; ++round) {
        for (auto fact : fresh_) {
            for (auto op : relaxation_.needed_by[fact]) {
                if constexpr (kTraced) sum_[op] = saturating_add(sum_[op], fact_sum_[fact]);
                if (--missing_[op] == 0) queue.push(op, kSum ? sum_[op] : saturating_add(key, relaxation_.cost[op]));
            }
        }
        if (missing_[goal] == 0) return kSum ? sum_[goal] : key;
        if (queue.empty()) return kDeadEnd;
        batch_.clear();
        fresh_.clear();
        key = queue.pop(batch_);
        for (auto op : batch_) {
            for (auto fact : relaxation_.effect[op]) {
                if (!reached_[fact]) {
                    reached_[fact] = 1;
                    fresh_.push_back(fact);
                    if constexpr (kTraced) support(fact, op, round);
                } else if constexpr (kTraced) {
                    bool better = sum_[op] < fact_sum_[fact] || (sum_[op] == fact_sum_[fact] && op < supporter_[fact]);
                    if (round_[fact] == round && better) support(fact, op, round);
                }
            }
        }
    }
}

Cost Exploration::max(const Word* state) {
    return queues_.with_suitable([&](auto& queue) { return explore<false, false>(queue, state); });
}

Cost Exploration::traced_max(const Word* state) {
    return queues_.with_suitable([&](auto& queue) { return explore<false, true>(queue, state); });
}

Cost Exploration::traced_sum(const Word* state) { return explore<true, true>(queues_.radix(), state); }

const std::vector<ActionId>& Exploration::relaxed_plan() {
    plan_.clear();
    open_.clear();
    std::fill(visited_.begin(), visited_.end(), 0);
    auto visit = [&](std::uint32_t fact) {
        if (visited_[fact]) return;
        visited_[fact] = 1;
        if (supporter_[fact] != kNoOperator) open_.push_back(fact);
    };
    for (auto fact : relaxation_.precondition[relaxation_.goal()]) visit(fact);
    for (std::size_t next = 0; next < open_.size(); ++next) {
        auto op = supporter_[open_[next]];
        if (relaxation_.action[op] != kNoAction) plan_.push_back(relaxation_.action[op]);
        for (auto fact : relaxation_.precondition[op]) visit(fact);
    }
    std::sort(plan_.begin(), plan_.end());
    plan_.erase(std::unique(plan_.begin(), plan_.end()), plan_.end());
    return plan_;
}

}  // namespace fsplan
