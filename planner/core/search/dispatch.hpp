// The entry of every source: run_search(graph, heuristic, request) runs the search asked for. A source includes this
// file in one .cpp, instantiates it for its graph and heuristics there, and is done.
#pragma once

#include <new>
#include <stdexcept>

#include "search/best_first.hpp"
#include "search/focal.hpp"
#include "search/idastar.hpp"
#include "search/optimistic.hpp"
#include "search/prefastar.hpp"
#include "search/unroll.hpp"

namespace fsplan {

// What the search reads of guides and helpful actions.
inline Guides guides_read(const SearchRequest& request) {
    const Policy* policy = request.policy.get();
    const bool by_policy = policy != nullptr && policy->needs_guide();
    const auto of_policy = [&](bool first_choice) {
        if (!by_policy) return Guides::none;
        return first_choice && policy->prefers_helpful() ? Guides::on_demand : Guides::all;
    };
    switch (request.algorithm) {
        case Algorithm::focal: return of_policy(reading_of(request.order) == Reading::first_choice);
        case Algorithm::unroll: return of_policy(true);
        case Algorithm::prefastar: return request.preferred == Preferred::ff ? Guides::on_demand : of_policy(true);
        case Algorithm::optimistic: return Guides::all;
        default: return Guides::none;
    }
}

inline void check_request(const SearchRequest& request, const HeuristicProperties& heuristic) {
    const Weight& w = request.w;
    if (w.denominator < 1 || w.numerator < w.denominator) throw std::invalid_argument("w must be at least 1");
    if (!heuristic.admissible && !request.uncertified && request.algorithm != Algorithm::unroll)
        throw std::invalid_argument("this heuristic is not admissible, so it proves no bound: choose an admissible one "
                                    "or do without a bound: --uncertified (uncertified=True)");
}

// Searches that relax every edge as they generate it: stopped at any time, their open nodes prove a bound.
inline bool is_best_first(Algorithm algorithm) {
    return algorithm == Algorithm::astar || algorithm == Algorithm::wastar || algorithm == Algorithm::gbfs ||
           algorithm == Algorithm::prefastar;
}

template <Graph G, HeuristicFor<G> H>
void run_algorithm(Run<G, H>& run) {
    using R = Run<G, H>;
    switch (run.request.algorithm) {
        case Algorithm::focal: return Focal<R>(run).search();
        case Algorithm::astar: return BestFirst<R>(run, {1, 1}).search();
        case Algorithm::wastar: return BestFirst<R>(run, weighted_key(run.request.w)).search();
        case Algorithm::gbfs: return BestFirst<R>(run, {0, 1}).search();
        case Algorithm::prefastar: return PrefAStar<R>(run).search();
        case Algorithm::unroll: return Unroll<R>(run).search();
        case Algorithm::optimistic: return Optimistic<R>(run).search();
        case Algorithm::idastar: break;
    }
    if constexpr (CheapStates<G>) {
        IdaStar<R>(run).search();
    } else {
        throw std::invalid_argument("idastar needs a task with cheap states (puzzles, explicit graphs); use astar");
    }
}

template <Graph G, HeuristicFor<G> H>
SearchResult run_search(G& graph, H& heuristic, const SearchRequest& request) {
    check_request(request, heuristic.properties());
    Run<G, H> run(graph, heuristic, request, guides_read(request));
    std::optional<Status> stopped;
    try {
        run_algorithm(run);
    } catch (const Stopped& stop) {
        stopped = stop.status;
        if (is_best_first(request.algorithm)) run.prove_by_open();
    } catch (const std::bad_alloc&) {
        stopped = Status::memout;
    }
    return run.finish(stopped);
}

}  // namespace fsplan
