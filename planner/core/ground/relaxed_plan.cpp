#include "ground/relaxed_plan.hpp"

#include <algorithm>
#include <utility>

#include "ground/reachability.hpp"

namespace fsplan {

namespace {

Rows achiever_rows(const Relaxation& relaxation) {
    const Rows achievers = transpose(relaxation.effect, relaxation.fact_count);
    Rows rows;
    for (std::size_t fact = 0; fact < relaxation.fact_count; ++fact) {
        for (auto op : achievers[fact]) {
            auto needs = relaxation.precondition[op];
            rows.items.insert(rows.items.end(), {op, static_cast<std::uint32_t>(relaxation.cost[op]),
                                                 static_cast<std::uint32_t>(needs.size())});
            rows.items.insert(rows.items.end(), needs.begin(), needs.end());
        }
        rows.end_row();
    }
    return rows;
}

}  // namespace

RelaxedPlan::RelaxedPlan(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
    : task_(task),
      layout_(layout),
      relaxation_(relaxation),
      achievers_(achiever_rows(relaxation)),
      plain_(!task.has_derived() && !task.has_conditional_effects()),
      full_(layout.words),
      visited_(relaxation.fact_count),
      in_plan_(task.action_count()) {
    if (task.has_derived()) derived_.emplace(task, layout);
    for (ActionId a = 0; a < task.action_count(); ++a) {
        auto tests = layout.tests(task, task.precondition[a]);
        tests_.insert(tests_.end(), tests.begin(), tests.end());
        tests_begin_.push_back(static_cast<std::uint32_t>(tests_.size()));
    }
}

Cost RelaxedPlan::read(const std::vector<OperatorId>& supporter, const Word* state) {
    return collect(state, [&](auto fact) { return supporter[fact]; },
                   [&](auto fact) { return supporter[fact] == kNoOperator; });
}

Cost RelaxedPlan::read(const Rounds& rounds, const Word* state) {
    return collect(state, [&](auto fact) { return supporter_in(rounds, fact); },
                   [&](auto fact) { return rounds.of_fact[fact] == 0; });
}

inline OperatorId RelaxedPlan::supporter_in(const Rounds& rounds, std::uint32_t fact) const {
    const auto round = rounds.of_fact[fact];
    if (round == 0) return kNoOperator;
    auto best = kNoOperator;
    auto least = std::numeric_limits<std::int64_t>::max();
    const auto row = achievers_[fact];
    for (const auto* next = row.data(); next != row.data() + row.size();) {
        const auto op = next[0];
        const auto cost = static_cast<Cost>(next[1]);
        const auto* needed = next + 3;
        next = needed + next[2];
        std::uint32_t last = 0;
        std::int64_t sum = 0;
        for (; needed != next && last < round; ++needed) {
            const auto reached = rounds.of_fact[*needed];
            last = std::max(last, reached);  // kNever is the greatest
            if (last < round) sum += rounds.cost[reached];
        }
        if (last >= round || sum >= least || rounds.cost[last] + cost != rounds.cost[round]) continue;
        least = sum;
        best = op;
        if (sum == 0) break;
    }
    return best;
}

void RelaxedPlan::begin() {
    clear();
    open_.clear();
    if (++number_ != 0) return;
    std::fill(visited_.begin(), visited_.end(), 0);
    std::fill(in_plan_.begin(), in_plan_.end(), 0);
    number_ = 1;
}

// holds_now(fact) may be false of derived facts that hold.
template <class SupporterOf, class HoldsNow>
Cost RelaxedPlan::collect(const Word* state, SupporterOf supporter_of, HoldsNow holds_now) {
    begin();
    std::int64_t cost = 0;
    auto visit = [&](std::uint32_t fact) {
        if (std::exchange(visited_[fact], number_) != number_) open_.push_back(fact);
    };
    for (auto fact : relaxation_.precondition[relaxation_.goal()]) visit(fact);
    for (std::size_t next = 0; next < open_.size(); ++next) {
        auto op = supporter_of(open_[next]);
        if (op == kNoOperator) continue;
        bool ready = true;
        for (auto fact : relaxation_.precondition[op]) {
            visit(fact);
            ready = ready && holds_now(fact);
        }
        auto action = relaxation_.action[op];
        if (action == kNoAction) continue;
        if (ready || !plain_) helpful_.push_back(action);
        if (std::exchange(in_plan_[action], number_) == number_) continue;
        ++steps_;
        cost += relaxation_.cost[op];
    }
    keep_applicable(state);
    return static_cast<Cost>(std::min<std::int64_t>(cost, kDeadEnd - 1));
}

void RelaxedPlan::keep_applicable(const Word* state) {
    if (derived_) {
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        state = full_.data();
    }
    std::erase_if(helpful_, [&](auto action) {
        return !holds(std::span(tests_).subspan(tests_begin_[action], tests_begin_[action + 1] - tests_begin_[action]), state);
    });
    std::sort(helpful_.begin(), helpful_.end());
    helpful_.erase(std::unique(helpful_.begin(), helpful_.end()), helpful_.end());
}

}  // namespace fsplan
