// The entry point: run_search(graph, heuristic, request) runs the requested search. A state space includes this file in
// one .cpp, which compiles SearchedGraph for its graph and heuristic; the searches themselves (list.hpp) are compiled
// once.
#pragma once

#include "search/in_progress.hpp"
#include "search/searched_graph.hpp"
#include "search/steps.hpp"

namespace fsplan {

// Throws if the search cannot carry out the request; returns which guides the search reads.
GuideDemand checked_demand(const SearchRequest& request, const HeuristicProperties& heuristic);

// Runs a search in slices, continues below its frontier when memory is used up, and records how it ended.
class SlicedRun {
public:
    explicit SlicedRun(Run& run) : run_(run) {}

    bool run_for(std::uint64_t work);
    SearchResult finish();

private:
    std::unique_ptr<Steps> make_steps();
    void reached_limit(Status status);
    bool go_below_frontier();
    void stop_with(Status status);

    Run& run_;
    bool below_frontier_ = false;
    std::unique_ptr<Steps> steps_;
    std::optional<Status> stopped_;
    bool ended_ = false;
};

template <Graph G, HeuristicFor<G> H>
class StartedSearch final : public SearchInProgress {
public:
    // The arguments must outlive the search.
    StartedSearch(G& graph, H& heuristic, const SearchRequest& request)
        : space_(graph, heuristic, request, checked_demand(request, heuristic.properties())),
          run_(request, space_, space_), slices_(run_) {}

    bool run_for(std::uint64_t work) override { return slices_.run_for(work); }
    std::uint64_t work() const override { return run_.work(); }
    SearchResult finish() override { return slices_.finish(); }

private:
    SearchedGraph<G, H> space_;
    Run run_;
    SlicedRun slices_;
};

template <Graph G, HeuristicFor<G> H>
SearchResult run_search(G& graph, H& heuristic, const SearchRequest& request) {
    StartedSearch<G, H> search(graph, heuristic, request);
    return run_to_end(search);
}

}  // namespace fsplan
