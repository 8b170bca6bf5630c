#pragma once

#include "contract/request.hpp"

namespace fsplan {

// A search that runs in slices, so that several searches can share one thread and their Incumbents. Slices are measured
// in counted work, so a run is deterministic. Searches that run concurrently need graphs and heuristics of their own.
class SearchInProgress {
public:
    virtual ~SearchInProgress() = default;
    // Runs for about this much work (contract/request.hpp): a slice ends after a complete step, or as soon as a better
    // plan is found that other searches share. Returns false when the search has ended.
    virtual bool run_for(std::uint64_t work) = 0;
    // Work so far.
    virtual std::uint64_t work() const = 0;
    // Ends the search; may be called once, at any time.
    virtual SearchResult finish() = 0;
};

inline SearchResult run_to_end(SearchInProgress& search) {
    while (search.run_for(kUnlimited)) {}
    return search.finish();
}

}  // namespace fsplan
