// What every search shares: its space, its evaluator, the plan and the bound it has so far, and how it ends.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "search/evaluation.hpp"
#include "search/space.hpp"
#include "weight.hpp"

namespace fsplan {

template <Graph G, HeuristicFor<G> H>
class Run {
public:
    Run(G& graph, H& heuristic, const SearchRequest& asked, GuideDemand guides)
        : request(asked), watch(asked), space(graph, asked.reopen, watch), evaluator(heuristic, space, watch, guides) {}

    const SearchRequest& request;
    Watch watch;
    Space<G> space;
    Evaluator<G, H> evaluator;

    bool has_plan() const { return best_.cost != kDeadEnd; }
    Cost cost() const { return best_.cost; }
    Cost lower_bound() const { return lower_bound_; }
    bool proven(const Weight& w) const { return has_plan() && within(w, best_.cost, lower_bound_); }
    bool optimal() const { return has_plan() && lower_bound_ == best_.cost; }
    // No plan through this node is better than the one we have.
    bool hopeless(const Node& node) const { return (evaluator.admissible() ? node.f() : node.g) >= best_.cost; }

    // The caller has shown that with an admissible h and no re-opening left out, no plan costs less than this.
    void prove(Cost bound) {
        if (space.left_out()) bound = std::min(bound, kDeadEnd - 1);
        if (!evaluator.admissible() || !space.bound_valid()) return;
        lower_bound_ = std::max(lower_bound_, std::min(bound, best_.cost));
        watch.lower_bound = lower_bound_;
    }
    // No open node is left. Every state that can matter has then been expanded, so without a plan there is none, even if
    // cheaper paths were ignored.
    void prove_exhausted() {
        if (space.left_out() && !has_plan()) throw std::overflow_error(kPlansTooExpensive);
        prove(kDeadEnd);
        if (evaluator.admissible() && !has_plan()) lower_bound_ = kDeadEnd;
    }
    void prove_by_open() { prove(space.least_open_f()); }

    // The node is a goal: keeps its plan if it is the best so far.
    bool accept(StateId goal) { return accept_plan(space.plan(goal)); }
    bool accept_plan(Incumbent found) {
        if (found.cost >= best_.cost) return false;
        if (found.cost < lower_bound_) throw std::invalid_argument(refuted(found.cost));
        best_ = std::move(found);
        watch.incumbent = best_.cost;
        return true;
    }
    void announce() {
        best_.lower_bound = lower_bound_;
        if (request.on_incumbent) request.on_incumbent(best_);
    }

    SearchResult finish(std::optional<Status> stopped) {
        SearchResult result;
        result.certified = proven(request.w);
        result.status = status(stopped, result.certified);
        result.plan = std::move(best_.plan);
        result.cost = best_.cost;
        result.lower_bound = lower_bound_;
        result.statistics = statistics();
        return result;
    }

private:
    std::string refuted(Cost cost) const {
        return "the heuristic is not admissible: by it no plan costs less than " + std::to_string(lower_bound_) +
               ", and one costs " + std::to_string(cost) + "; say so (admissible = False) and search without a bound "
               "(uncertified=True)";
    }
    Status status(std::optional<Status> stopped, bool certified) const {
        if (stopped && !certified) return *stopped;
        if (has_plan()) return Status::solved;
        return lower_bound_ == kDeadEnd ? Status::unsolvable : Status::not_found;
    }
    Statistics statistics() {
        Statistics counts = space.statistics();
        counts.registered = space.size();
        counts.search_seconds = watch.seconds();
        counts.peak_memory_bytes = watch.peak_bytes();
        counts.node_bytes = space.size() == 0 ? 0 : (space.bytes() + evaluator.bytes()) / space.size();
        return counts;
    }

    Incumbent best_{{}, kDeadEnd, 0};
    Cost lower_bound_ = 0;
};

}  // namespace fsplan
