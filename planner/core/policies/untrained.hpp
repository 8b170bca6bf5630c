// Policies without training: `uniform` and `ff`.
#pragma once

#include "contract/policy.hpp"
#include "policies/log_softmax.hpp"

namespace fsplan {

class UniformPolicy final : public Policy {
public:
    bool is_well_defined() const override { return true; }
    bool needs_values() const override { return false; }
    void score(const PolicyBatch& batch) override {
        for (std::size_t i = 0; i < batch.size; ++i) {
            const auto begin = batch.edges_begin[i];
            const auto count = batch.edges_begin[i + 1] - begin;
            std::fill_n(batch.log_probabilities + begin, count, uniform_log_probability(count));
        }
    }
};

// The policy `ff`: π(a|s) is a softmax over -(c(a) + h_FF(succ(a, s))). Helpful actions precede all others: the scores
// of the others are lowered by the same amount, so that the best of them is below the worst helpful one. Ties are
// broken by c(a) + h, which changes a score by less than 1/2.
class RelaxedPlanPolicy final : public Policy {
public:
    bool needs_values() const override { return false; }
    bool needs_guide() const override { return true; }
    bool prefers_helpful() const override { return true; }
    bool is_well_defined() const override { return true; }
    void score(const PolicyBatch& batch) override {
        for (std::size_t i = 0; i < batch.size; ++i) score_state(batch, batch.edges_begin[i], batch.edges_begin[i + 1]);
    }

private:
    // The least and the greatest value of cost plus estimate over the edges that do not lead to dead ends.
    struct Range {
        double least = std::numeric_limits<double>::infinity();
        double greatest = 0;

        void add(Cost cost, Cost estimate) {
            if (estimate == kDeadEnd) return;
            least = std::min(least, static_cast<double>(cost) + estimate);
            greatest = std::max(greatest, static_cast<double>(cost) + estimate);
        }
    };

    static void score_state(const PolicyBatch& batch, std::size_t begin, std::size_t end) {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        Range by_guide;
        Range by_h;
        for (std::size_t edge = begin; edge < end; ++edge) {
            by_guide.add(batch.costs[edge], batch.guides[edge]);
            by_h.add(batch.costs[edge], batch.heuristics[edge]);
        }
        float worst_helpful = kInfinity;
        float best_other = -kInfinity;
        for (std::size_t edge = begin; edge < end; ++edge) {
            const bool dead = batch.guides[edge] == kDeadEnd || batch.heuristics[edge] == kDeadEnd;
            float& score = batch.log_probabilities[edge];
            score = dead ? -kInfinity : estimate(batch, edge, by_guide, by_h);
            if (!dead && batch.helpful[edge]) worst_helpful = std::min(worst_helpful, score);
            if (!dead && !batch.helpful[edge]) best_other = std::max(best_other, score);
        }
        const float shift = worst_helpful - best_other - 1;
        if (std::isfinite(shift) && shift < 0)
            for (std::size_t edge = begin; edge < end; ++edge)
                if (!batch.helpful[edge]) batch.log_probabilities[edge] += shift;
        const std::span<float> scores{batch.log_probabilities + begin, end - begin};
        batch.reading == Reading::log_probabilities ? log_softmax(scores) : lower_to_zero(scores);
    }

    static float estimate(const PolicyBatch& batch, std::size_t edge, const Range& by_guide, const Range& by_h) {
        const double cost = batch.costs[edge];
        const double tie = (cost + batch.heuristics[edge] - by_h.least) / (1 + by_h.greatest - by_h.least) / 2;
        return static_cast<float>(-(cost + batch.guides[edge] - by_guide.least + tie));
    }
};

}  // namespace fsplan
