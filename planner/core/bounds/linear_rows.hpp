// Inequalities Σ coefficient · count(action) >= lower, which hold for the action counts of every plan.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

struct LinearRows {
    std::vector<std::int64_t> begin{0};  // the terms of row i have the indices begin[i] to begin[i + 1] - 1
    std::vector<ActionId> action;
    std::vector<std::int64_t> coefficient;
    std::vector<std::int64_t> lower;

    void add_term(ActionId a, std::int64_t factor) {
        action.push_back(a);
        coefficient.push_back(factor);
    }
    void end_row(std::int64_t at_least) {
        begin.push_back(static_cast<std::int64_t>(action.size()));
        lower.push_back(at_least);
    }
};

}  // namespace fsplan
