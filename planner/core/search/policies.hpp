// The policies that need no training.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "policy.hpp"

namespace fsplan {

// Turns scores into log-probabilities in place; -infinity becomes kLogZero.
inline void log_softmax(std::span<float> scores) {
    if (scores.empty()) return;
    const float greatest = *std::max_element(scores.begin(), scores.end());
    if (!std::isfinite(greatest)) {
        std::fill(scores.begin(), scores.end(), -std::log(static_cast<float>(scores.size())));
        return;
    }
    double sum = 0;
    for (const float score : scores) sum += std::exp(static_cast<double>(score) - greatest);
    const double total = greatest + std::log(sum);
    for (float& score : scores) score = std::max(kLogZero, static_cast<float>(score - total));
}

class UniformPolicy final : public Policy {
public:
    void score(const PolicyBatch& batch) override {
        for (std::size_t i = 0; i < batch.size; ++i) {
            const auto begin = batch.edges_begin[i];
            const auto count = batch.edges_begin[i + 1] - begin;
            std::fill_n(batch.log_probabilities + begin, count, count == 0 ? 0 : -std::log(static_cast<float>(count)));
        }
    }
};

// π(a|s): a softmax over -(c(a) + h_FF(succ(a, s))), with every helpful action before every other: the rest are moved
// down together until the best of them follows the worst helpful one.
class RelaxedPlanPolicy final : public Policy {
public:
    bool needs_guide() const override { return true; }
    void score(const PolicyBatch& batch) override {
        for (std::size_t i = 0; i < batch.size; ++i) score_state(batch, batch.edges_begin[i], batch.edges_begin[i + 1]);
    }

private:
    static void score_state(const PolicyBatch& batch, std::size_t begin, std::size_t end) {
        constexpr float kNever = -std::numeric_limits<float>::infinity();
        float worst_helpful = std::numeric_limits<float>::infinity();
        float best_other = kNever;
        for (std::size_t edge = begin; edge < end; ++edge) {
            const bool dead = batch.guides[edge] == kDeadEnd;
            const float score = -(static_cast<float>(batch.costs[edge]) + static_cast<float>(batch.guides[edge]));
            batch.log_probabilities[edge] = dead ? kNever : score;
            if (!dead && batch.helpful[edge]) worst_helpful = std::min(worst_helpful, score);
            if (!dead && !batch.helpful[edge]) best_other = std::max(best_other, score);
        }
        const float shift = worst_helpful - best_other - 1;
        if (std::isfinite(shift) && shift < 0)
            for (std::size_t edge = begin; edge < end; ++edge)
                if (!batch.helpful[edge]) batch.log_probabilities[edge] += shift;
        log_softmax({batch.log_probabilities + begin, end - begin});
    }
};

}  // namespace fsplan
