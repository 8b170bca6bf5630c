// The heuristics that come out of one relaxed exploration: h_max, h_add, h_FF; and the two that need none.
#pragma once

#include <optional>
#include <vector>

#include "ground/derived.hpp"
#include "ground/exploration.hpp"
#include "ground/ground_heuristic.hpp"

namespace fsplan {

// Turns the relaxed plan of a traced exploration into its cost and the helpful actions.
class RelaxedPlan {
public:
    RelaxedPlan(const GroundTask& task, const Layout& layout);

    // Reads the plan of the last exploration, which started in `state`; returns its cost.
    Cost read(Exploration& exploration, const Word* state);
    void clear() { helpful_.clear(); }
    std::span<const ActionId> helpful() const { return helpful_; }

private:
    const GroundTask& task_;
    const Layout& layout_;
    std::optional<DerivedEvaluator> derived_;
    std::vector<std::uint32_t> tests_begin_{0};  // action -> tests of its precondition
    std::vector<WordTest> tests_;
    std::vector<Word> full_;
    std::vector<ActionId> helpful_;
};

// A heuristic that takes guide and helpful actions from an exploration.
class GuidedHeuristic : public GroundHeuristic {
public:
    GuidedHeuristic(const GroundTask& task, const Layout& layout) : task_(task), layout_(layout) {}
    std::span<const ActionId> helpful() override;
    void want_guide(bool on) override;

protected:
    bool guided() const { return plan_.has_value(); }
    Cost read_plan(const Word* state);
    // kDeadEnd, with no helpful action.
    Cost dead_end();
    // The guide of a heuristic that does not explore for its own value.
    Cost explore_guide(const Word* state);
    Exploration& exploration();

    const GroundTask& task_;
    const Layout& layout_;

private:
    std::optional<Exploration> exploration_;
    std::optional<RelaxedPlan> plan_;
};

class MaxHeuristic : public GuidedHeuristic {
public:
    using GuidedHeuristic::GuidedHeuristic;
    HeuristicProperties properties() const override { return {.admissible = true, .consistent = true}; }
    Evaluation evaluate(const Word* state) override;
};

// h_add, or with the plan's cost as its value h_FF.
class AdditiveHeuristic : public GuidedHeuristic {
public:
    AdditiveHeuristic(const GroundTask& task, const Layout& layout, bool plan_cost);
    HeuristicProperties properties() const override { return {.admissible = false, .consistent = false}; }
    Evaluation evaluate(const Word* state) override;

private:
    bool plan_cost_;
};

class GoalCountHeuristic : public GuidedHeuristic {
public:
    GoalCountHeuristic(const GroundTask& task, const Layout& layout);
    HeuristicProperties properties() const override { return {.admissible = false, .consistent = false}; }
    Evaluation evaluate(const Word* state) override;

protected:
    Cost open_goals(const Word* state);

private:
    std::optional<DerivedEvaluator> derived_;
    std::vector<WordTest> goals_;  // one a fact
    std::vector<Word> full_;
};

class BlindHeuristic : public GoalCountHeuristic {
public:
    BlindHeuristic(const GroundTask& task, const Layout& layout);
    HeuristicProperties properties() const override { return {.admissible = true, .consistent = true}; }
    Evaluation evaluate(const Word* state) override;

private:
    Cost cheapest_action_;
};

}  // namespace fsplan
