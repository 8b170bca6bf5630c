#include "heuristics/relaxed.hpp"

#include <algorithm>

namespace fsplan {

std::span<const ActionId> GuidedHeuristic::helpful() {
    if (!guided_) return {};
    return plan_->helpful();
}

void GuidedHeuristic::want_guide(bool on) {
    if (on && !plan_) plan_.emplace(task_, layout_);
    guided_ = on;
}

const Relaxation& GuidedHeuristic::relaxation() {
    if (!relaxation_) relaxation_ = relax(task_);
    return *relaxation_;
}

Cost GuidedHeuristic::explore_max(const Word* state) {
    if (!exploration_) exploration_ = make_max_exploration(task_, layout_, relaxation());
    return exploration_->explore(state, guided());
}

Evaluation GuidedHeuristic::explore_guide(const Word* state) {
    const Cost h_max = explore_max(state);
    return guide_after(h_max, state, h_max);
}

Evaluation GuidedHeuristic::guide_after(Cost h_max, const Word* state, Cost h) {
    if (h_max != kDeadEnd) {
        const Cost guide = plan_->read(*exploration_, state);
        return {h, guide, plan_->steps()};
    }
    plan_->clear();
    return {h, kDeadEnd, kDeadEnd};
}

Evaluation MaxHeuristic::evaluate(const Word* state) {
    auto h = explore_max(state);
    return guided() ? guide_after(h, state, h) : Evaluation{h, h};
}

AdditiveHeuristic::AdditiveHeuristic(const GroundTask& task, const Layout& layout, bool plan_cost)
    : GuidedHeuristic(task, layout), plan_cost_(plan_cost), exploration_(task, layout, relaxation()) {
    if (plan_cost) want_guide(true);
}

void AdditiveHeuristic::want_guide(bool on) { GuidedHeuristic::want_guide(on || plan_cost_); }

Evaluation AdditiveHeuristic::evaluate(const Word* state) {
    auto h = exploration_.explore(state);
    if (!guided()) return {h, h};
    if (h == kDeadEnd) return guide_after(h, state, h);
    auto guide = plan().read(exploration_, state);
    return {plan_cost_ ? guide : h, guide, plan().steps()};
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
    return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
}

BlindHeuristic::BlindHeuristic(const GroundTask& task, const Layout& layout) : GoalCountHeuristic(task, layout) {
    cheapest_action_ = task.cost.empty() ? 0 : *std::min_element(task.cost.begin(), task.cost.end());
}

Evaluation BlindHeuristic::evaluate(const Word* state) {
    auto h = open_goals(state) == 0 ? 0 : cheapest_action_;
    return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
}

}  // namespace fsplan
