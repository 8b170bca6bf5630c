// Counts the goal facts that do not hold in a state; goal facts may be derived.
#pragma once

#include "task/derived.hpp"
#include "task/layout.hpp"

namespace fsplan {

class GoalCounter {
public:
    // Task and layout must outlive the counter.
    GoalCounter(const GroundTask& task, const Layout& layout) : layout_(layout), full_(layout.words) {
        const auto is_derived = [&](FactId fact) { return task.layer[layout.variable_of[fact]] >= 0; };
        if (std::ranges::any_of(task.goal, is_derived)) derived_.emplace(task, layout);
        for (const FactId& fact : task.goal)
            for (const WordTest& test : layout.tests(task, {&fact, 1})) goals_.push_back(test);
    }

    Cost count_open(const Word* state) {
        if (derived_) {
            std::copy_n(state, layout_.stored_words, full_.data());
            derived_->evaluate(full_.data());
            state = full_.data();
        }
        Cost count = 0;
        for (const WordTest& test : goals_) count += (state[test.word] & test.mask) != test.value;
        return count;
    }

private:
    const Layout& layout_;
    std::optional<DerivedEvaluator> derived_;
    std::vector<WordTest> goals_;  // one test per goal fact
    std::vector<Word> full_;
};

}  // namespace fsplan
