// The default. On ground tasks planner/portfolio.py runs several searches, bounds without a search and plan improvement
// side by side, in slices, with one incumbent and one lower bound. On other tasks it is optimistic search alone.
#pragma once

#include "search/searches/optimistic.hpp"

namespace fsplan {

struct AutoSearch {
    static constexpr SearchInfo info{
        .name = "auto",
        .summary = "Several searches, root bounds and plan improvement share plans and bounds until w is proven.",
        .reads = "w policy anytime threads",
        .proves = "w",
        .guide_demand = OptimisticSearch::info.guide_demand};
    template <class R>
    static auto make(R& run) {
        return OptimisticSearch::make(run);
    }
};

}  // namespace fsplan
