// The entry of every source: run_search(graph, heuristic, request) runs the search asked for. A source includes this
// file in one .cpp, instantiates it for its graph and heuristics there, and is done. A further search is a header with a
// struct that has `info` and `search(run)`, and one line in the list below.
#pragma once

#include <array>
#include <new>
#include <stdexcept>

#include "search/best_first.hpp"
#include "search/focal.hpp"
#include "search/follow.hpp"
#include "search/idastar.hpp"
#include "search/optimistic.hpp"
#include "search/prefastar.hpp"
#include "search/unroll.hpp"

namespace fsplan {

template <class... Searches>
struct SearchList {
    static constexpr std::array<const SearchInfo*, sizeof...(Searches)> infos{&Searches::info...};

    template <class R>
    static void run(R& run) {
        const bool ran = ((run.request.search == &Searches::info && (Searches::search(run), true)) || ...);
        if (!ran) throw std::invalid_argument("no search was chosen");
    }
};

using Searches = SearchList<FocalSearch, AStarSearch, WeightedAStarSearch, GreedySearch, PrefAStarSearch, IdaStarSearch,
                            UnrollSearch, FollowSearch, OptimisticSearch>;

inline void check_request(const SearchRequest& request, const HeuristicProperties& heuristic) {
    const Weight& w = request.w;
    if (w.denominator < 1 || w.numerator < w.denominator) throw std::invalid_argument("w must be at least 1");
    if (!heuristic.admissible && !request.uncertified && request.search->needs_admissible)
        throw std::invalid_argument("this heuristic is not admissible, so it proves no bound: choose an admissible one "
                                    "or do without a bound: --uncertified (uncertified=True)");
}

template <Graph G, HeuristicFor<G> H>
SearchResult run_search(G& graph, H& heuristic, const SearchRequest& request) {
    check_request(request, heuristic.properties());
    Run<G, H> run(graph, heuristic, request, request.search->guide_demand(request));
    std::optional<Status> stopped;
    try {
        Searches::run(run);
    } catch (const Stopped& stop) {
        stopped = stop.status;
        if (request.search->open_proves_bound) run.prove_by_open();
    } catch (const std::bad_alloc&) {
        stopped = Status::memout;
    }
    return run.finish(stopped);
}

}  // namespace fsplan
