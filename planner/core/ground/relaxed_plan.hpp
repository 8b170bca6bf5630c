// The relaxed plan behind h_FF and the guides: its cost counts every action once; those of its actions that are
// applicable are helpful.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ground/derived.hpp"
#include "ground/layout.hpp"
#include "ground/max_exploration.hpp"

namespace fsplan {

class RelaxedPlan {
public:
    // The arguments must outlive the plan.
    RelaxedPlan(const GroundTask& task, const Layout& layout);

    // The plan's cost, after an exploration from `state` that reached the goal.
    template <class Exploration>
    Cost read(Exploration& exploration, const Word* state) {
        supporters_.clear();
        exploration.supporters(supporters_);
        return take(supporters_, state);
    }

    void clear() {
        steps_ = 0;
        helpful_.clear();
    }
    Cost steps() const { return steps_; }
    std::span<const ActionId> helpful() const { return helpful_; }

private:
    Cost take(std::span<const Supporter> plan, const Word* state);
    void begin();
    void keep_applicable(const Word* state);

    const Layout& layout_;
    std::optional<DerivedEvaluator> derived_;
    bool plain_;                                 // an action is applicable iff its one operator is ready
    std::vector<std::uint32_t> tests_begin_{0};  // action -> tests of its precondition, unless plain
    std::vector<WordTest> tests_;
    std::vector<Word> full_;
    std::vector<Supporter> supporters_;
    std::uint32_t number_ = 0;                   // of the plan
    std::vector<std::uint32_t> in_plan_;         // action -> number of the last plan it was in
    Cost steps_ = 0;
    std::vector<ActionId> helpful_;              // first the candidates, then those of them that are applicable
};

}  // namespace fsplan
