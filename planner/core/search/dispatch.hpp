// The entry of every space: run_search(graph, heuristic, request) runs the search asked for. A space includes this
// file in one .cpp, instantiates it for its graph and heuristics there, and is done. A further search is a header in the
// folder searches/ with a struct that has `info` and `make(run)`, which gives an object with step(), and one line in the list
// below; the build includes all files of that folder.
#pragma once

#include <array>
#include <memory>
#include <new>
#include <stdexcept>

#include "every_search.hpp"
#include "search/below_frontier.hpp"
#include "search/in_progress.hpp"

namespace fsplan {

// The loop of a search, whichever it is.
class Steps {
public:
    virtual ~Steps() = default;
    // Steps until the end of the run's slice, which a step may bring forward. False: the search has ended.
    virtual bool run() = 0;
};

// make(run) returns the object with step().
template <class Make, class R>
class StepsOf final : public Steps {
public:
    StepsOf(Make make, R& run) : run_(run), search_(make(run)) {}
    bool run() override {
        while (run_.work() < run_.end_of_slice)
            if (!search_.step()) return false;
        return true;
    }

private:
    R& run_;
    decltype(std::declval<Make>()(std::declval<R&>())) search_;
};

template <class Make, class R>
std::unique_ptr<Steps> steps_of(Make make, R& run) {
    return std::make_unique<StepsOf<Make, R>>(make, run);
}

template <class... Searches>
struct SearchList {
    static constexpr std::array<const SearchInfo*, sizeof...(Searches)> infos{&Searches::info...};

    template <class R>
    static std::unique_ptr<Steps> make(R& run) {
        std::unique_ptr<Steps> made;
        ((run.request.search == &Searches::info && (made = make<Searches>(run), true)) || ...);
        if (!made) throw std::invalid_argument("no search was chosen");
        return made;
    }

private:
    template <class Search, class R>
    static std::unique_ptr<Steps> make(R& run) {
        return steps_of([](R& each) { return Search::make(each); }, run);
    }
};

// In the order in which they are listed to users.
using Searches = SearchList<
    FocalSearch,
    AStarSearch,
    WeightedAStarSearch,
    GreedySearch,
    PrefAStarSearch,
    IdaStarSearch,
    UnrollSearch,
    FollowSearch,
    OptimisticSearch,
    RoundRobinSearch,
    DynamicPotentialSearch,
    ExplicitEstimationSearch,
    ConvexDownwardSearch,
    ConvexUpwardSearch,
    LevinSearch,
    PolicyHeuristicSearch,
    ProbabilisticFocalSearch,
    ImprovedOptimisticSearch,
    LimitedDiscrepancySearch,
    BeamSearch,
    QStarSearch,
    LamaSearch,
    BestFirstWidthSearch,
    AutoSearch>;

inline void check_request(const SearchRequest& request, const HeuristicProperties& heuristic) {
    const Weight& w = request.w;
    if (w.denominator < 1 || w.numerator < w.denominator) throw std::invalid_argument("w must be at least 1");
    if (!heuristic.admissible && !request.uncertified && request.search->needs_admissible)
        throw std::invalid_argument("this heuristic is not admissible, so it proves no bound: choose an admissible one "
                                    "or do without a bound: --uncertified (uncertified=True)");
}

template <Graph G, HeuristicFor<G> H>
class StartedSearch final : public SearchInProgress {
public:
    // All three must outlive the search.
    StartedSearch(G& graph, H& heuristic, const SearchRequest& request)
        : run_((check_request(request, heuristic.properties()), graph), heuristic, request,
               request.search->guide_demand(request)) {}

    bool run_for(std::uint64_t work) override {
        if (ended_) return false;
        try {
            if (!steps_) steps_ = make_steps();
            run_.end_of_slice = work == kUnlimited ? kUnlimited : this->work() + work;
            ended_ = !steps_->run();
        } catch (const Stopped& stop) {
            reached_limit(stop.status);
        } catch (const std::bad_alloc&) {
            if (!go_below_frontier()) stop_with(Status::memout);
        }
        return !ended_;
    }
    std::uint64_t work() const override { return run_.work(); }
    SearchResult finish() override {
        steps_.reset();
        return run_.finish(stopped_);
    }

private:
    std::unique_ptr<Steps> make_steps() {
        if (!below_frontier_) return Searches::make(run_);
        return steps_of([](Run<G, H>& run) { return BelowFrontier<Run<G, H>>(run); }, run_);
    }
    void reached_limit(Status status) {
        if (status == Status::memout && go_below_frontier()) return;
        stop_with(status);
        if (run_.request.search->open_proves_bound && !below_frontier_) run_.raise_bound_by_open();
    }
    // Whether there is something to gain without further memory.
    bool go_below_frontier() {
        if (below_frontier_ || run_.request.ends_without_memory || run_.request.search->proves == "nothing") return false;
        if (!run_.evaluator.admissible() || !run_.space.bound_valid() || run_.space.size() == 0) return false;
        below_frontier_ = true;
        steps_.reset();  // its queues make room
        return true;
    }
    void stop_with(Status status) {
        stopped_ = status;
        ended_ = true;
    }

    Run<G, H> run_;
    bool below_frontier_ = false;
    std::unique_ptr<Steps> steps_;
    std::optional<Status> stopped_;
    bool ended_ = false;
};

template <Graph G, HeuristicFor<G> H>
SearchResult run_search(G& graph, H& heuristic, const SearchRequest& request) {
    StartedSearch<G, H> search(graph, heuristic, request);
    return run_to_end(search);
}

}  // namespace fsplan
