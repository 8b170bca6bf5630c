#include "ground/relaxed.hpp"

#include <algorithm>

namespace fsplan {

RelaxedPlan::RelaxedPlan(const GroundTask& task, const Layout& layout)
    : task_(task), layout_(layout), full_(layout.words) {
    if (task.has_derived()) derived_.emplace(task, layout);
    for (ActionId a = 0; a < task.action_count(); ++a) {
        auto tests = layout.tests(task, task.precondition[a]);
        tests_.insert(tests_.end(), tests.begin(), tests.end());
        tests_begin_.push_back(static_cast<std::uint32_t>(tests_.size()));
    }
}

Cost RelaxedPlan::read(Exploration& exploration, const Word* state) {
    if (derived_) {
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        state = full_.data();
    }
    helpful_.clear();
    std::int64_t cost = 0;
    for (auto action : exploration.relaxed_plan()) {
        cost += task_.cost[action];
        std::span<const WordTest> tests(tests_.data() + tests_begin_[action], tests_.data() + tests_begin_[action + 1]);
        if (holds(tests, state)) helpful_.push_back(action);
    }
    return static_cast<Cost>(std::min<std::int64_t>(cost, kDeadEnd - 1));
}

std::span<const ActionId> GuidedHeuristic::helpful() {
    if (!plan_) return {};
    return plan_->helpful();
}

void GuidedHeuristic::want_guide(bool on) {
    if (on && !plan_) plan_.emplace(task_, layout_);
    if (!on) plan_.reset();
}

Cost GuidedHeuristic::read_plan(const Word* state) { return plan_->read(exploration(), state); }

Cost GuidedHeuristic::dead_end() {
    if (plan_) plan_->clear();
    return kDeadEnd;
}

Cost GuidedHeuristic::explore_guide(const Word* state) {
    if (exploration().traced_max(state) == kDeadEnd) return dead_end();
    return read_plan(state);
}

Exploration& GuidedHeuristic::exploration() {
    if (!exploration_) exploration_.emplace(task_, layout_);
    return *exploration_;
}

Evaluation MaxHeuristic::evaluate(const Word* state) {
    if (!guided()) {
        auto h = exploration().max(state);
        return {h, h};
    }
    auto h = exploration().traced_max(state);
    return {h, h == kDeadEnd ? dead_end() : read_plan(state)};
}

AdditiveHeuristic::AdditiveHeuristic(const GroundTask& task, const Layout& layout, bool plan_cost)
    : GuidedHeuristic(task, layout), plan_cost_(plan_cost) {
    if (plan_cost) want_guide(true);
}

Evaluation AdditiveHeuristic::evaluate(const Word* state) {
    auto h = exploration().traced_sum(state);
    if (h == kDeadEnd) return {h, dead_end()};
    auto guide = guided() ? read_plan(state) : h;
    return {plan_cost_ ? guide : h, guide};
}

GoalCountHeuristic::GoalCountHeuristic(const GroundTask& task, const Layout& layout)
    : GuidedHeuristic(task, layout), full_(layout.words) {
    auto derived_goal = [&](auto fact) { return task.layer[layout.variable_of[fact]] >= 0; };
    if (std::any_of(task.goal.begin(), task.goal.end(), derived_goal)) derived_.emplace(task, layout);
    for (const auto& fact : task.goal) {
        for (const auto& test : layout.tests(task, {&fact, 1})) goals_.push_back(test);
    }
}

Cost GoalCountHeuristic::open_goals(const Word* state) {
    if (derived_) {
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        state = full_.data();
    }
    Cost count = 0;
    for (const auto& test : goals_) count += (state[test.word] & test.mask) != test.value;
    return count;
}

Evaluation GoalCountHeuristic::evaluate(const Word* state) {
    auto h = open_goals(state);
    return {h, guided() ? explore_guide(state) : h};
}

BlindHeuristic::BlindHeuristic(const GroundTask& task, const Layout& layout) : GoalCountHeuristic(task, layout) {
    cheapest_action_ = task.cost.empty() ? 0 : *std::min_element(task.cost.begin(), task.cost.end());
}

Evaluation BlindHeuristic::evaluate(const Word* state) {
    auto h = open_goals(state) == 0 ? 0 : cheapest_action_;
    return {h, guided() ? explore_guide(state) : h};
}

}  // namespace fsplan
