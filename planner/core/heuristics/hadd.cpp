// h_add: like h_max, but the cost of a set of facts is the sum of their costs. h_FF: the cost of the relaxed plan of
// h_add's supporters, in which every action counts once. Neither is admissible: h_add counts an action once for every
// fact that needs it, and the relaxed plan of h_FF need not be the cheapest.
#include "heuristics/guided_heuristic.hpp"
#include "relaxation/sum_exploration.hpp"

namespace fsplan {

namespace {

enum class Value { additive, plan_cost };

template <Value value>
class AdditiveHeuristic : public GuidedHeuristic {
public:
    explicit AdditiveHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), exploration_(input.task, input.layout, relaxation(input.watch)) {
        want_guide(false);
    }
    // h_FF is the cost of the relaxed plan, so it needs the plan even if no guide is requested.
    void want_guide(bool on) override { GuidedHeuristic::want_guide(on || value == Value::plan_cost); }
    Evaluation evaluate(const Word* state) override {
        add_work(relaxation().work());
        const Cost h = exploration_.explore(state);
        if (!guided()) return {h, h};
        if (h == kDeadEnd) return guide_after(h, state, h);
        const Cost guide = plan().read(exploration_, state);
        return {value == Value::plan_cost ? guide : h, guide, plan().steps()};
    }

private:
    SumExploration exploration_;
};

}  // namespace

const GroundHeuristicEntry hadd_heuristic{
    .info = {.name = "hadd",
             .summary = "Σ over goal facts p of c(p); c(p) = min over a that add p of c(a) + Σ over pre(a) of c",
             .properties = {.admissible = false, .finds_dead_ends = true}},
    .make = make_from_input<AdditiveHeuristic<Value::additive>>};

const GroundHeuristicEntry hff_heuristic{
    .info = {.name = "hff",
             .summary = "cost of a relaxed plan made of the best supporters under hadd",
             .properties = {.admissible = false, .finds_dead_ends = true}},
    .make = make_from_input<AdditiveHeuristic<Value::plan_cost>>};

}  // namespace fsplan
