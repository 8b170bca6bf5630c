// The relaxed plan of h_FF and of the guides: its cost counts every action once; its applicable actions are the helpful
// actions.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "relaxation/max_exploration.hpp"
#include "task/derived.hpp"
#include "task/layout.hpp"

namespace fsplan {

class RelaxedPlan {
public:
    // The arguments must outlive the plan.
    RelaxedPlan(const GroundTask& task, const Layout& layout);

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
    void finish(const Word* state);
    void keep_applicable(const Word* state);

    const Layout& layout_;
    std::optional<DerivedEvaluator> derived_;
    bool plain_;                                 // every action has one operator, and is applicable iff that is ready
    std::vector<std::uint32_t> tests_begin_{0};  // action -> tests of its precondition; empty if plain_
    std::vector<WordTest> tests_;
    std::vector<Word> full_;
    PlanSteps steps_;
};

}  // namespace fsplan
