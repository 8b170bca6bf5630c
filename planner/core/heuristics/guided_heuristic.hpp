// Base class of heuristics that extract a relaxed plan on request: the plan's cost is the guide, its applicable actions
// are the helpful actions. The plan is read off the exploration that computes the heuristic's own value or, if there is
// none, off an exploration of h_max. Data structures are built when they are first used.
#pragma once

#include "heuristics/ground_heuristic.hpp"
#include "relaxation/max_exploration.hpp"
#include "relaxation/relaxed_plan.hpp"

namespace fsplan {

class GuidedHeuristic : public GroundHeuristic {
public:
    explicit GuidedHeuristic(const HeuristicInput& input) : task_(input.task), layout_(input.layout) {}
    std::span<const ActionId> helpful() override;
    void want_guide(bool on) override;

protected:
    // Computes h_max.
    Cost explore_max(const Word* state);
    // Computes h_max and the guide, for a heuristic whose own value needs no exploration.
    Evaluation explore_guide(const Word* state);
    // Returns h together with the guide of the last explore_max, which returned h_max; the guide is kDeadEnd if h_max
    // is.
    Evaluation guide_after(Cost h_max, const Word* state, Cost h);
    bool guided() const { return guided_; }
    RelaxedPlan& plan() { return *plan_; }
    const Relaxation& relaxation(Budget& watch = unlimited());

    const GroundTask& task_;
    const Layout& layout_;

private:
    std::optional<Relaxation> relaxation_;
    std::unique_ptr<MaxExploration> exploration_;
    std::optional<RelaxedPlan> plan_;
    bool guided_ = false;
};

}  // namespace fsplan
