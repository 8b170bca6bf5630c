// The entry point: run_search(graph, heuristic, request) runs the requested search. A state space includes this file in
// one .cpp, which compiles SearchedGraph for its graph and heuristic; the searches themselves (list.hpp) are compiled
// once.
#pragma once

#include "search/in_progress.hpp"
#include "search/searched_graph.hpp"
#include "search/steps.hpp"

namespace fsplan {

// Throws if the search does not support the request; returns the guides that the search reads.
inline GuideDemand checked_demand(const SearchRequest& request, const HeuristicProperties& heuristic) {
    const Weight& w = request.w;
    if (w.denominator < 1 || w.numerator < w.denominator) throw std::invalid_argument("w must be at least 1");
    if (request.search == nullptr) throw std::invalid_argument("no search was chosen");
    if (!heuristic.admissible && !request.uncertified && request.search->needs_admissible)
        throw std::invalid_argument(
            "this heuristic is not admissible, so it proves no bound: choose an admissible one "
            "or do without a bound (option uncertified)");
    return request.search->guide_demand(request);
}

// Runs a search in slices, continues below its frontier when memory is used up, and records how it ended.
class SlicedRun {
public:
    explicit SlicedRun(Run& run) : run_(run) {}

    bool run_for(std::uint64_t work) {
        if (ended_) return false;
        try {
            if (!steps_) steps_ = make_steps();
            run_.end_of_slice = work == kUnlimited ? kUnlimited : run_.work() + work;
            ended_ = !steps_->run();
        } catch (const LimitReached& reached) {
            reached_limit(status_of(reached.limit));
        } catch (const std::bad_alloc&) {
            if (!go_below_frontier()) stop_with(Status::memout);
        }
        return !ended_;
    }
    SearchResult finish() {
        steps_.reset();
        return run_.finish(stopped_);
    }

private:
    std::unique_ptr<Steps> make_steps() {
        return below_frontier_ ? run_.space.below_frontier(run_) : run_.request.search->make(run_);
    }
    void reached_limit(Status status) {
        if (status == Status::memout && go_below_frontier()) return;
        stop_with(status);
        if (run_.request.search->open_proves_bound && !below_frontier_) run_.raise_bound_by_open();
    }
    // Continues below the frontier, if the bound can still rise without further memory.
    bool go_below_frontier() {
        if (below_frontier_ || run_.request.ends_without_memory || run_.request.search->proves == "nothing")
            return false;
        if (!run_.evaluator.admissible() || !run_.space.bound_valid() || run_.space.size() == 0) return false;
        below_frontier_ = true;
        steps_.reset();  // frees the memory of the queues
        return true;
    }
    void stop_with(Status status) {
        stopped_ = status;
        ended_ = true;
    }

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
