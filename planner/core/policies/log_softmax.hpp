// Log-softmax: log y_i = x_i - log Σ_j exp x_j, without overflow and at least kLogZero. Sums are computed in doubles.
#pragma once

#include "contract/policy.hpp"

namespace fsplan {

inline bool all_finite(std::span<const float> numbers) {
    return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

inline float uniform_log_probability(std::size_t count) {
    return count == 0 ? 0 : static_cast<float>(-std::log(static_cast<double>(count)));
}

// log Σ exp of scores that are not all -infinity.
inline double log_sum_exp(std::span<const float> scores) {
    const float greatest = *std::ranges::max_element(scores);
    double sum = 0;
    for (const float score : scores) sum += std::exp(static_cast<double>(score) - greatest);
    return greatest + std::log(sum);
}

inline void subtract_clamped(std::span<float> scores, double logarithm) {
    for (float& score : scores) score = std::max(static_cast<float>(score - logarithm), kLogZero);
}

// If no score is finite, all actions get the same probability.
inline void log_softmax(std::span<float> scores) {
    if (scores.empty()) return;
    if (std::isfinite(*std::ranges::max_element(scores))) {
        subtract_clamped(scores, log_sum_exp(scores));
    } else {
        std::fill(scores.begin(), scores.end(), uniform_log_probability(scores.size()));
    }
}

// Subtracts the greatest score from all scores: the order stays the same, and no score is greater than 0.
inline void lower_to_zero(std::span<float> scores) {
    if (scores.empty()) return;
    const float greatest = *std::ranges::max_element(scores);
    subtract_clamped(scores, std::isfinite(greatest) ? greatest : 0);
}

}  // namespace fsplan
