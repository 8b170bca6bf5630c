// Saturated cost partitioning over projections (abstractions/partitioned_costs.hpp).
#include "abstractions/partitioned_costs.hpp"
#include "heuristics/guided_heuristic.hpp"

namespace fsplan {

namespace {

class CostPartitioningHeuristic : public GuidedHeuristic {
public:
    explicit CostPartitioningHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), tables_(input.task, input.layout, input.watch) {
        add_work(tables_.preparation());
    }
    Evaluation evaluate(const Word* state) override {
        const std::uint64_t before = tables_.work();
        const Cost h = tables_.value(state);
        add_work(tables_.work() - before);
        if (!guided()) return {h, h};
        return guide_after(h == kDeadEnd ? kDeadEnd : explore_max(state), state, h);
    }

private:
    PartitionedCosts tables_;
};

}  // namespace

const GroundHeuristicEntry scp_heuristic{
    .info =
        {.name = "scp",
         .summary =
             "saturated cost partitioning over projections and Cartesian abstractions, by the best of several orders",
         .properties = {.admissible = true},
         .consistent = true,
         .strength = 1},
    .make = make_from_input<CostPartitioningHeuristic>};

}  // namespace fsplan
