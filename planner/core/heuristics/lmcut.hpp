// LM-cut: the sum of the costs of the landmarks in landmark_cuts.hpp.
#pragma once

#include "heuristics/landmark_cuts.hpp"
#include "heuristics/relaxed.hpp"

namespace fsplan {

class LandmarkCutHeuristic : public GuidedHeuristic {
public:
    LandmarkCutHeuristic(const GroundTask& task, const Layout& layout)
        : GuidedHeuristic(task, layout), cuts_(task, layout, relaxation()) {}
    HeuristicProperties properties() const override {
        return {.admissible = true, .consistent = false, .finds_dead_ends = true};
    }
    Evaluation evaluate(const Word* state) override {
        const Cost h = cuts_.sum(state, [](std::span<const OperatorId>) {});
        return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
    }
    bool is_quick() const override { return true; }
    // h_max instead of h.
    Evaluation quick(const Word* state) override { return explore_guide(state); }

private:
    LandmarkCuts cuts_;
};

}  // namespace fsplan
