// The base of heuristics that, asked for a guide, extract a relaxed plan: its cost is the guide, its applicable actions
// are the helpful ones. Unless the heuristic explores the relaxation for its own value, the plan is the one that h_max's
// exploration implies. What a heuristic does not use is not built.
#pragma once

#include <memory>
#include <optional>

#include "heuristics/ground_heuristic.hpp"
#include "heuristics/max_exploration.hpp"
#include "heuristics/relaxed_plan.hpp"

namespace fsplan {

class GuidedHeuristic : public GroundHeuristic {
public:
    explicit GuidedHeuristic(const HeuristicInput& input) : task_(input.task), layout_(input.layout) {}
    std::span<const ActionId> helpful() override;
    void want_guide(bool on) override;

protected:
    // h_max.
    Cost explore_max(const Word* state);
    // h_max and its guide, for a heuristic that does not explore for its own value.
    Evaluation explore_guide(const Word* state);
    // h with the guide that follows from explore_max, which returned h_max; the guide is a dead end where h_max is one.
    Evaluation guide_after(Cost h_max, const Word* state, Cost h);
    bool guided() const { return guided_; }
    RelaxedPlan& plan() { return *plan_; }
    const Relaxation& relaxation(WorkWatch& watch = unlimited());

    const GroundTask& task_;
    const Layout& layout_;

private:
    std::optional<Relaxation> relaxation_;
    std::unique_ptr<MaxExploration> exploration_;
    std::optional<RelaxedPlan> plan_;
    bool guided_ = false;
};

}  // namespace fsplan
