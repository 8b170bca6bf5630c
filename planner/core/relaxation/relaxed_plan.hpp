// The relaxed plan of h_FF and of the guides: its cost counts every action once; its applicable actions are the helpful
// actions.
#pragma once

#include "relaxation/max_exploration.hpp"
#include "task/derived.hpp"
#include "task/layout.hpp"

namespace fsplan {

class RelaxedPlan {
public:
    // The arguments must outlive the plan.
    RelaxedPlan(const GroundTask& task, const Layout& layout)
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

    // The plan's cost, after an exploration from `state` that reached the goal.
    template <class Exploration>
    Cost read(Exploration& exploration, const Word* state) {
        steps_.clear();
        exploration.supporters(steps_);
        finish(state);
        return static_cast<Cost>(std::min<std::int64_t>(steps_.cost(), kDeadEnd - 1));
    }

    void clear() { steps_.clear(); }
    std::span<const ActionId> actions() const { return steps_.actions(); }
    Cost steps() const { return static_cast<Cost>(steps_.actions().size()); }
    std::span<const ActionId> helpful() const { return steps_.candidates(); }

private:
    // Keeps the applicable candidates, ascending.
    void finish(const Word* state) {
        if (!plain_) keep_applicable(state);
        std::ranges::sort(steps_.candidates());
    }
    void keep_applicable(const Word* state) {
        if (derived_) {
            std::copy_n(state, layout_.stored_words, full_.data());
            derived_->evaluate(full_.data());
            state = full_.data();
        }
        std::erase_if(steps_.candidates(), [&](auto action) {
            return !holds(
                std::span(tests_).subspan(tests_begin_[action], tests_begin_[action + 1] - tests_begin_[action]),
                state);
        });
    }

    const Layout& layout_;
    std::optional<DerivedEvaluator> derived_;
    bool plain_;  // whether every action has one operator, whose preconditions are the action's
    std::vector<std::uint32_t> tests_begin_{0};  // action -> tests of its precondition; empty if plain_
    std::vector<WordTest> tests_;
    std::vector<Word> full_;
    PlanSteps steps_;
};

}  // namespace fsplan
