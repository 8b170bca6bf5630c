// The relaxed plan behind h_FF and the guides: from the goal back, every fact not in the state brings its supporter and
// the facts that needs. Its cost counts every action once; those of its actions that are applicable are helpful.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ground/derived.hpp"
#include "ground/layout.hpp"
#include "ground/max_exploration.hpp"
#include "ground/relaxation.hpp"

namespace fsplan {

class RelaxedPlan {
public:
    // The arguments must outlive the plan.
    RelaxedPlan(const GroundTask& task, const Layout& layout, const Relaxation& relaxation);

    // The plan's cost, after an exploration from `state` that reached the goal: with given supporters, or with those
    // that rounds imply: of the operators that reach a fact at its h_max, the one whose preconditions' h_max have the
    // least sum, the first by number among equals.
    Cost read(const std::vector<OperatorId>& supporter, const Word* state);
    Cost read(const Rounds& rounds, const Word* state);

    void clear() {
        steps_ = 0;
        helpful_.clear();
    }
    Cost steps() const { return steps_; }
    std::span<const ActionId> helpful() const { return helpful_; }

private:
    template <class SupporterOf, class HoldsNow>
    Cost collect(const Word* state, SupporterOf supporter_of, HoldsNow holds_now);
    void begin();
    OperatorId supporter_in(const Rounds& rounds, std::uint32_t fact) const;
    void keep_applicable(const Word* state);

    const GroundTask& task_;
    const Layout& layout_;
    const Relaxation& relaxation_;
    // What can bring a fact, in one row: for each operator its number, its cost, how many facts it needs, and those.
    Rows achievers_;
    std::optional<DerivedEvaluator> derived_;
    bool plain_;                                 // an applicable action's operator needs nothing that does not hold
    std::vector<std::uint32_t> tests_begin_{0};  // action -> tests of its precondition
    std::vector<WordTest> tests_;
    std::vector<Word> full_;
    std::uint32_t number_ = 0;                   // of the plan, stamps the marks of its facts and actions
    std::vector<std::uint32_t> visited_;         // fact -> number of the last plan that needed it
    std::vector<std::uint32_t> in_plan_;         // action -> number of the last plan it was in
    std::vector<std::uint32_t> open_;
    Cost steps_ = 0;
    std::vector<ActionId> helpful_;              // first the candidates, then those of them that are applicable
};

}  // namespace fsplan
