#include "ground/relaxed_plan.hpp"

#include <algorithm>
#include <utility>

namespace fsplan {

RelaxedPlan::RelaxedPlan(const GroundTask& task, const Layout& layout)
    : layout_(layout),
      plain_(!task.has_derived() && !task.has_conditional_effects()),
      full_(layout.words),
      in_plan_(task.action_count()) {
    if (plain_) return;
    if (task.has_derived()) derived_.emplace(task, layout);
    for (ActionId a = 0; a < task.action_count(); ++a) {
        auto tests = layout.tests(task, task.precondition[a]);
        tests_.insert(tests_.end(), tests.begin(), tests.end());
        tests_begin_.push_back(static_cast<std::uint32_t>(tests_.size()));
    }
}

Cost RelaxedPlan::take(std::span<const Supporter> plan, const Word* state) {
    clear();
    begin();
    std::int64_t cost = 0;
    for (const auto [action, step_cost, ready] : plan) {
        if (action == kNoAction || std::exchange(in_plan_[action], number_) == number_) continue;
        ++steps_;
        cost += step_cost;
        if (ready || !plain_) helpful_.push_back(action);
    }
    if (!plain_) keep_applicable(state);
    std::sort(helpful_.begin(), helpful_.end());
    return static_cast<Cost>(std::min<std::int64_t>(cost, kDeadEnd - 1));
}

void RelaxedPlan::begin() {
    if (++number_ != 0) return;
    std::fill(in_plan_.begin(), in_plan_.end(), 0);
    number_ = 1;
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
}

}  // namespace fsplan
