// A policy that is derived from a heuristic: π(a|s) is the softmax of -h(succ(a, s)) over the applicable actions. A step is a
// discrepancy if another successor has a lower h (Harvey and Ginsberg), so all successors of least h are first choices.
#pragma once

#include "policies/untrained.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

class HeuristicPolicy final : public PolicyWithMemory {
public:
    // The state space must outlive the policy. The policy uses a copy of it, because the space itself is being
    // searched.
    HeuristicPolicy(StateSpace& space, const std::string& heuristic)
        : space_(space.at(space.start_values())), estimate_(space_->estimator(heuristic)) {}

    bool is_well_defined() const override { return true; }
    bool shares_ties() const override { return true; }
    void score_in_turn(const PolicyBatch& batch) override {
        for (std::size_t i = 0; i < batch.size; ++i) {
            const std::span<const std::int32_t> state{batch.values + i * batch.width, batch.width};
            const std::uint32_t begin = batch.edges_begin[i];
            const std::span<float> scores{batch.log_probabilities + begin, batch.edges_begin[i + 1] - begin};
            if (scores.empty()) continue;
            score_state(state, batch.actions + begin, scores);
            batch.reading == Reading::log_probabilities ? log_softmax(scores) : lower_to_zero(scores);
        }
    }

private:
    // `actions` and the successors of the state are both sorted by action number.
    void score_state(std::span<const std::int32_t> state, const ActionId* actions, std::span<float> scores) {
        std::size_t edge = 0;
        for (const Successor& next : space_->successors(state)) {
            if (edge == scores.size() || next.action != actions[edge]) continue;
            const Cost h = estimate_(next.values);
            scores[edge++] = h == kDeadEnd ? -std::numeric_limits<float>::infinity() : -static_cast<float>(h);
        }
        if (edge != scores.size()) throw std::invalid_argument("the policy was made for another task");
    }

    std::unique_ptr<StateSpace> space_;
    StateSpace::Estimator estimate_;
};

}  // namespace fsplan
