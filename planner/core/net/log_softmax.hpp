// log y_i = x_i - log Σ_j exp x_j, without overflow and never below kLogZero.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "policy.hpp"

namespace fsplan::net {

inline float log_sum_exp(std::span<const float> scores) {
    const float highest = *std::max_element(scores.begin(), scores.end());
    float sum = 0;
    for (const float score : scores) sum += std::exp(score - highest);
    return highest + std::log(sum);
}

inline void subtract_clamped(std::span<float> scores, float logarithm) {
    for (float& score : scores) score = std::max(score - logarithm, kLogZero);
}

inline void log_softmax(std::span<float> scores) {
    if (!scores.empty()) subtract_clamped(scores, log_sum_exp(scores));
}

}  // namespace fsplan::net
