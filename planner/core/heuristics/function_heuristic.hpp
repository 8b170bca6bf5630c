// A heuristic that calls a user's function with the values of a state. The guide is the cost of a relaxed plan of
// h_max's supporters.
#pragma once

#include "contract/request.hpp"
#include "heuristics/guided_heuristic.hpp"
#include "task/ground_graph.hpp"

namespace fsplan {

class FunctionHeuristic final : public GuidedHeuristic {
public:
    FunctionHeuristic(const HeuristicInput& input, GroundGraph& graph, const CustomHeuristic& heuristic)
        : GuidedHeuristic(input), graph_(graph), function_(heuristic.function), values_(graph.width()) {
        set_properties({.admissible = heuristic.admissible});
    }

    Evaluation evaluate(const Word* state) override {
        add_work(kWorkOfCall);
        graph_.values(state, values_);
        const Cost h = function_(values_);
        return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
    }

private:
    static constexpr std::uint64_t kWorkOfCall = 1000;

    GroundGraph& graph_;
    std::function<Cost(std::span<const std::int32_t>)> function_;
    std::vector<std::int32_t> values_;
};

}  // namespace fsplan
