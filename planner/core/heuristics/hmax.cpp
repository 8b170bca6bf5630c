// h_max: the cost of the most expensive goal fact if actions only add facts and a set of facts costs as much as its
// most expensive one. Every plan reaches this fact, so h_max is admissible; it is also consistent.
#include "heuristics/guided_heuristic.hpp"

namespace fsplan {

namespace {

class MaxHeuristic : public GuidedHeuristic {
public:
    explicit MaxHeuristic(const HeuristicInput& input) : GuidedHeuristic(input) { relaxation(input.watch); }
    Evaluation evaluate(const Word* state) override {
        const Cost h = explore_max(state);
        return guided() ? guide_after(h, state, h) : Evaluation{h, h};
    }
};

}  // namespace

const GroundHeuristicEntry hmax_heuristic{
    .info = {.name = "hmax",
             .summary = "max over goal facts p of c(p); c(p) = min over a that add p of c(a) + max over pre(a) of c",
             .properties = {.admissible = true, .finds_dead_ends = true},
             .consistent = true,
             .strength = 2},
    .make = make_from_input<MaxHeuristic>};

}  // namespace fsplan
