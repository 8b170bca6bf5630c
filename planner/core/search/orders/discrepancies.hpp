// Discrepancies as whole numbers: how often, or how far, a path left the policy's first choice.
#pragma once

#include "contract/request.hpp"
#include "search/info.hpp"

namespace fsplan {

struct Disc2 {
    static constexpr OrderInfo info{.name = "disc2",
                                    .equation = "N_nonpref",
                                    .summary = "Number of discrepancies from the policy's choice.",
                                    .reading = Reading::first_choice};
    double extend(const OrderStep& step) const { return step.parent + (step.rank == 0 ? 0 : 1); }
};

struct Disc3 {
    static constexpr OrderInfo info{.name = "disc3",
                                    .equation = "Σ rank(a_i|s_i)",
                                    .summary = "The sum of the ranks of the path's actions.",
                                    .reading = Reading::ranks};
    double extend(const OrderStep& step) const { return step.parent + step.rank; }
};

struct Disc3Last {
    static constexpr OrderInfo info{.name = "disc3-last",
                                    .equation = "rank(a_n|s_n)",
                                    .summary = "The rank of the last action.",
                                    .reading = Reading::ranks};
    double extend(const OrderStep& step) const { return step.rank; }
};

}  // namespace fsplan
