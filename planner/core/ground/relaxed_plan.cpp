#include "ground/relaxed_plan.hpp"

#include <algorithm>

#include "ground/reachability.hpp"

namespace fsplan {

RelaxedPlan::RelaxedPlan(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
    : task_(task),
      layout_(layout),
      relaxation_(relaxation),
      achievers_(transpose(relaxation.effect, relaxation.fact_count)),
      full_(layout.words),
      visited_(relaxation.fact_count) {
    if (task.has_derived()) derived_.emplace(task, layout);
    for (ActionId a = 0; a < task.action_count(); ++a) {
        auto tests = layout.tests(task, task.precondition[a]);
        tests_.insert(tests_.end(), tests.begin(), tests.end());
        tests_begin_.push_back(static_cast<std::uint32_t>(tests_.size()));
    }
}

Cost RelaxedPlan::read(const std::vector<OperatorId>& supporter, const Word* state) {
    return collect(state, [&](auto fact) { return supporter[fact]; });
}

Cost RelaxedPlan::read(const Rounds& rounds, const Word* state) {
    return collect(state, [&](auto fact) { return supporter_in(rounds, fact); });
}

OperatorId RelaxedPlan::supporter_in(const Rounds& rounds, std::uint32_t fact) const {
    const auto round = rounds.of_fact[fact];
    if (round == 0) return kNoOperator;
    auto best = kNoOperator;
    auto least = std::numeric_limits<std::int64_t>::max();
    for (auto op : achievers_[fact]) {
        std::uint32_t last = 0;
        std::int64_t sum = 0;
        for (auto needed : relaxation_.precondition[op]) {
            auto reached = rounds.of_fact[needed];
            last = std::max(last, reached);  // kNever is the greatest
            if (last >= round) break;
            sum += rounds.cost[reached];
        }
        if (last >= round || rounds.cost[last] + relaxation_.cost[op] != rounds.cost[round] || sum >= least) continue;
        least = sum;
        best = op;
        if (sum == 0) break;
    }
    return best;
}

template <class SupporterOf>
Cost RelaxedPlan::collect(const Word* state, SupporterOf supporter_of) {
    plan_.clear();
    open_.clear();
    std::fill(visited_.begin(), visited_.end(), 0);
    auto visit = [&](std::uint32_t fact) {
        if (!visited_[fact]) open_.push_back(fact);
        visited_[fact] = 1;
    };
    for (auto fact : relaxation_.precondition[relaxation_.goal()]) visit(fact);
    for (std::size_t next = 0; next < open_.size(); ++next) {
        auto op = supporter_of(open_[next]);
        if (op == kNoOperator) continue;
        if (relaxation_.action[op] != kNoAction) plan_.push_back(relaxation_.action[op]);
        for (auto fact : relaxation_.precondition[op]) visit(fact);
    }
    std::sort(plan_.begin(), plan_.end());
    plan_.erase(std::unique(plan_.begin(), plan_.end()), plan_.end());
    find_helpful(state);
    std::int64_t cost = 0;
    for (auto action : plan_) cost += task_.cost[action];
    return static_cast<Cost>(std::min<std::int64_t>(cost, kDeadEnd - 1));
}

void RelaxedPlan::find_helpful(const Word* state) {
    if (derived_) {
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        state = full_.data();
    }
    helpful_.clear();
    for (auto action : plan_) {
        std::span<const WordTest> tests(tests_.data() + tests_begin_[action], tests_.data() + tests_begin_[action + 1]);
        if (holds(tests, state)) helpful_.push_back(action);
    }
}

}  // namespace fsplan
