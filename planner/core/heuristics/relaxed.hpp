// The heuristics that come out of one relaxed exploration: h_max, h_add, h_FF; and the two that need none.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "heuristics/ground_heuristic.hpp"
#include "heuristics/max_exploration.hpp"
#include "heuristics/relaxed_plan.hpp"
#include "heuristics/sum_exploration.hpp"
#include "task/derived.hpp"

namespace fsplan {

// A heuristic that takes guide and helpful actions from the relaxed plan that the exploration of h_max implies.
class GuidedHeuristic : public GroundHeuristic {
public:
    GuidedHeuristic(const GroundTask& task, const Layout& layout) : task_(task), layout_(layout) {}
    std::span<const ActionId> helpful() override;
    void want_guide(bool on) override;

protected:
    // h_max.
    Cost explore_max(const Word* state);
    // h_max and its guide, for a heuristic that does not explore for its own value.
    Evaluation explore_guide(const Word* state);
    // h with the guide that explore_max, which returned h_max, implies; a dead end where h_max is one.
    Evaluation guide_after(Cost h_max, const Word* state, Cost h);
    bool guided() const { return guided_; }
    RelaxedPlan& plan() { return *plan_; }
    const Relaxation& relaxation();

    const GroundTask& task_;
    const Layout& layout_;

private:
    std::optional<Relaxation> relaxation_;
    std::unique_ptr<MaxExploration> exploration_;
    std::optional<RelaxedPlan> plan_;
    bool guided_ = false;
};

class MaxHeuristic : public GuidedHeuristic {
public:
    using GuidedHeuristic::GuidedHeuristic;
    HeuristicProperties properties() const override {
        return {.admissible = true, .consistent = true, .finds_dead_ends = true};
    }
    Evaluation evaluate(const Word* state) override;
};

// h_add, or with the plan's cost as its value h_FF.
class AdditiveHeuristic : public GuidedHeuristic {
public:
    AdditiveHeuristic(const GroundTask& task, const Layout& layout, bool plan_cost);
    void want_guide(bool on) override;  // h_FF needs the plan in any case
    HeuristicProperties properties() const override {
        return {.admissible = false, .consistent = false, .finds_dead_ends = true};
    }
    Evaluation evaluate(const Word* state) override;

private:
    bool plan_cost_;
    SumExploration exploration_;
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
