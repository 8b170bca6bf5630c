#pragma once

#include <cstdint>

#include "request.hpp"

namespace fsplan {

// A search that has been started and can be run in slices, so that several share one process, one thread and their
// incumbents (Incumbents): deterministic, as slices are counted in work. For searches side by side each needs a graph and a
// heuristic of its own.
class SearchInProgress {
public:
    virtual ~SearchInProgress() = default;
    // Runs for this much work (request.hpp), or a little more: a slice ends with a whole step. It ends early with a better
    // plan that others share. False: the search has ended.
    virtual bool run_for(std::uint64_t work) = 0;
    // What has been done so far.
    virtual std::uint64_t work() const = 0;
    // To be called once, at any time.
    virtual SearchResult finish() = 0;
};

inline SearchResult run_to_end(SearchInProgress& search) {
    while (search.run_for(kUnlimited)) {}
    return search.finish();
}

}  // namespace fsplan
