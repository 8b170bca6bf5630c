// Probabilistic focal search (Vu Duc et al., arXiv:2609.10584, 2026): Algorithm 1, but with probability 1 - p an expansion is
// one of the least f instead of the order's choice. While a policy leads the search down nothing else raises f_min, and with
// it the limit of FOCAL; `--search focal --prove N` does the same in fixed turns.
//
// Bound. The node of least f is in FOCAL, so the coin only chooses among nodes of FOCAL: a goal costs at most w * bound.
#pragma once

#include "search/searches/focal.hpp"

namespace fsplan {

struct ProbabilisticFocalSearch {
    static constexpr SearchInfo info{
        .name = "pfs",
        .summary = "Probabilistic focal search: by a coin, the order's choice from FOCAL or the least f.",
        .reads = "order w policy masked ties reopen uncertified anytime lookahead probability",
        .proves = "w",
        .defaults = "order=disc2 ties=f,h,newest",
        .draws = always,
        .needs_policy = FocalSearch::info.needs_policy,
        .guide_demand = FocalSearch::info.guide_demand};
    template <class R>
    static auto make(R& run) {
        return Focal<R>(run, Coin(run.request.seed, run.request.probability));
    }
};

}  // namespace fsplan
