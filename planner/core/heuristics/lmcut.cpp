// LM-cut: the sum of the costs of the landmarks of landmark_cuts.hpp. In a search a node reuses landmarks of its parent
// (incremental_cuts.hpp).
#include "heuristics/guided_heuristic.hpp"
#include "landmarks/incremental_cuts.hpp"

namespace fsplan {

namespace {

class LandmarkCutHeuristic : public GuidedHeuristic {
public:
    explicit LandmarkCutHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), cuts_(input.task, input.layout, relaxation(input.watch)) {}
    Evaluation evaluate(const Word* state) override {
        const std::uint64_t before = cuts_.work();
        const Cost h = cuts_.sum(state, {node(), parent(), parent_state()});
        add_work(cuts_.work() - before);
        return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
    }
    bool has_cheap_evaluation() const override { return true; }
    // Computes the guide, with h_max as h, because h_max is cheaper than LM-cut.
    Evaluation evaluate_cheaply(const Word* state) override { return explore_guide(state); }

private:
    IncrementalCuts cuts_;
};

}  // namespace

const GroundHeuristicEntry lmcut_heuristic{
    .info = {.name = "lmcut",
             .summary = "sum of the costs of landmarks (cuts of justification graphs)",
             .properties = {.admissible = true, .finds_dead_ends = true},
             .expensive = true,
             .strength = 3},
    .make = make_from_input<LandmarkCutHeuristic>};

}  // namespace fsplan
