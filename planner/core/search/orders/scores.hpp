// The paper's scores: probabilities of the path or of its last action. Logarithms keep the order of the paper's
// products and quotients and do not underflow.
#pragma once

#include "contract/request.hpp"
#include "search/info.hpp"

namespace fsplan {

struct Score1 {
    static constexpr OrderInfo info{.name = "score1",
                                    .equation = "-Π π(a_i|s_i)",
                                    .summary = "The likelihood of the path under the policy; computed as -Σ log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false};
    double extend(const OrderStep& step) const { return step.parent - step.log_probability; }
};

struct Score2 : Score1 {
    static constexpr OrderInfo info{.name = "score2",
                                    .equation = "score1 / f",
                                    .summary = "The likelihood of the path over f; computed as log f - Σ log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false,
                                    .over_f = true};
};

struct Score3 {
    static constexpr OrderInfo info{.name = "score3",
                                    .equation = "-π(a_n|s_n)",
                                    .summary = "The probability of the last action; computed as -log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false};
    double extend(const OrderStep& step) const { return -step.log_probability; }
};

struct Score4 : Score3 {
    static constexpr OrderInfo info{.name = "score4",
                                    .equation = "score3 / f",
                                    .summary = "The probability of the last action over f; computed as log f - log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false,
                                    .over_f = true};
};

}  // namespace fsplan
