// Potential heuristics: the maximum of several weighted sums over the facts of a state (bounds/potentials.hpp).
#include "bounds/potentials.hpp"
#include "heuristics/guided_heuristic.hpp"
#include "heuristics/weighted_facts.hpp"

namespace fsplan {

namespace {

class PotentialHeuristic : public GuidedHeuristic {
public:
    explicit PotentialHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), facts_(input.task, input.layout, find_potentials(input.task, input.watch)) {}
    Evaluation evaluate(const Word* state) override {
        add_work(facts_.work());
        const Cost h = facts_.value(state);
        return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
    }

private:
    WeightedFacts facts_;
};

}  // namespace

const GroundHeuristicEntry potential_heuristic{
    .info = {.name = "potential",
             .summary = "maximum of several potential functions (weighted sums of facts) computed by LPs",
             .properties = {.admissible = true},
             .consistent = true,
             .strength = 0},
    .make = make_from_input<PotentialHeuristic>};

}  // namespace fsplan
