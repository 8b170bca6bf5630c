#include "relaxation/relaxed_plan.hpp"

#include <algorithm>

namespace fsplan {

RelaxedPlan::RelaxedPlan(const GroundTask& task, const Layout& layout)
    : layout_(layout), plain_(!task.has_derived() && !task.has_conditional_effects()), full_(layout.words),
      steps_(task.action_count(), plain_) {
    if (plain_) return;
    if (task.has_derived()) derived_.emplace(task, layout);
    for (ActionId a = 0; a < task.action_count(); ++a) {
        auto tests = layout.tests(task, task.precondition[a]);
        tests_.insert(tests_.end(), tests.begin(), tests.end());
        tests_begin_.push_back(static_cast<std::uint32_t>(tests_.size()));
    }
}

void RelaxedPlan::finish(const Word* state) {
    if (!plain_) keep_applicable(state);
    std::sort(steps_.candidates().begin(), steps_.candidates().end());
}

void RelaxedPlan::keep_applicable(const Word* state) {
    if (derived_) {
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        state = full_.data();
    }
    std::erase_if(steps_.candidates(), [&](auto action) {
        return !holds(std::span(tests_).subspan(tests_begin_[action], tests_begin_[action + 1] - tests_begin_[action]),
                      state);
    });
}

}  // namespace fsplan
