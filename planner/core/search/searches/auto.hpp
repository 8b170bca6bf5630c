// The default. On ground tasks the parts of planner/portfolio/table.py share one incumbent and one lower bound; those
// parts are native searches, among others. On other tasks, which have no such parts, it is optimistic search.
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
