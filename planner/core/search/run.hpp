// What every search shares: its space, its evaluator, the best plan and the greatest bound it knows, and how it ends.
//
// Plans and bounds also come from elsewhere: with the request (known_plan, known_bound), or while the search runs, from
// others that share its Incumbents. A plan found elsewhere prunes as well as one found here, and a bound proven elsewhere is
// as good a certificate.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "incumbents.hpp"
#include "search/evaluation.hpp"
#include "search/search_space.hpp"
#include "weight.hpp"

namespace fsplan {

// What the actions cost from the start, one after the other; throws where one is not applicable or the end is no goal.
template <Graph G>
Cost plan_cost(G& graph, const std::vector<ActionId>& plan) {
    auto store = graph.make_store();
    StateId at = store.intern(graph.start()).id;
    std::int64_t total = 0;
    for (const ActionId wanted : plan) {
        StateId next = kNoState;
        graph.successors(store.hold(at), [&](ActionId action, Cost cost, const typename G::State& state) {
            if (action != wanted || next != kNoState) return;
            next = store.intern(state).id;
            total += cost;
        });
        if (next == kNoState) throw std::invalid_argument("the known plan has an action that is not applicable");
        at = next;
    }
    if (!graph.is_goal(store.hold(at))) throw std::invalid_argument("the known plan does not reach a goal");
    if (total >= kDeadEnd) throw std::overflow_error(kPlansTooExpensive);
    return static_cast<Cost>(total);
}

template <Graph G, HeuristicFor<G> H>
class Run {
public:
    Run(G& graph, H& heuristic, const SearchRequest& asked, GuideDemand demand)
        : request(asked), watch(asked), space(graph, asked.reopen, watch), evaluator(heuristic, space, watch, demand) {
        take_outside_bound(asked.known_bound);
        if (asked.known_plan) accept_plan({asked.known_plan->plan, plan_cost(graph, asked.known_plan->plan), 0});
        take_news();
    }

    const SearchRequest& request;
    Watch watch;
    SearchSpace<G> space;
    Evaluator<G, H> evaluator;
    // The work at which the slice ends. A better plan for others to see ends it at once: it may be all that was missing.
    std::uint64_t end_of_slice = 0;
    // Of the search itself, where that is more than to generate and queue states.
    std::uint64_t work_of_search = 0;

    // What the search has done so far.
    std::uint64_t work() const {
        return kWorkOfState * space.statistics().generated + evaluator.work() + work_of_search;
    }

    // For depth-first search, which registers no states.
    void tick() { watch.tick(space.statistics()); }
    bool is_out_of_range(std::int64_t f) { return space.is_out_of_range(f); }

    bool has_plan() const { return best_.cost != kDeadEnd; }
    Cost cost() const { return best_.cost; }
    Cost lower_bound() const { return lower_bound_; }
    // How often the plan or one of the bounds has changed.
    std::uint64_t changes() const { return changes_; }
    // The greatest bound that was proven elsewhere.
    Cost outside_bound() const { return outside_bound_; }
    bool proven(const Weight& w) const { return has_plan() && within(w, best_.cost, lower_bound_); }
    bool optimal() const { return has_plan() && lower_bound_ == best_.cost; }
    // The plan is as good as was asked for.
    bool finished() const { return request.anytime ? optimal() : proven(request.w); }
    // The least bound with which the plan is as good as was asked for.
    Cost bound_to_finish() const { return request.anytime ? best_.cost : least_bound_within(request.w, best_.cost); }
    // No plan through this node is better than the one we have.
    bool hopeless(const Node& node) const { return (evaluator.admissible() ? node.f() : node.g) >= best_.cost; }

    // The caller has shown that no plan costs less, provided that h is admissible and that no re-opening was left out.
    void raise_bound(Cost bound) {
        if (space.left_out()) bound = std::min(bound, kDeadEnd - 1);
        if (!evaluator.admissible() || !space.bound_valid()) return;
        take_bound(std::min(bound, best_.cost));
    }
    // No open node is left. Every state that can matter has then been expanded, so without a plan there is none, even if
    // cheaper paths were ignored.
    void raise_bound_to_end() {
        if (space.left_out() && !has_plan()) throw std::overflow_error(kPlansTooExpensive);
        raise_bound(kDeadEnd);
        if (evaluator.admissible() && !has_plan()) take_bound(kDeadEnd);
    }
    void raise_bound_by_open() { raise_bound(space.least_open_f()); }

    // The node is a goal: keeps its plan if it is the best so far.
    bool accept(StateId goal) { return accept_plan(space.plan(goal)); }
    bool accept_plan(Incumbent found) {
        if (found.cost >= best_.cost) return false;
        if (found.cost < lower_bound_) throw std::invalid_argument(refuted(found.cost));
        take_plan(std::move(found));
        if (request.incumbents) {
            request.incumbents->offer_plan(best_);
            end_of_slice = 0;
        }
        return true;
    }
    void announce() {
        best_.lower_bound = lower_bound_;
        if (request.on_incumbent) request.on_incumbent(best_);
    }
    // Takes over what other searches have found since the last call.
    void take_news() {
        if (request.incumbents && request.incumbents->version() != seen_version_) take_over();
    }

    SearchResult finish(std::optional<Status> stopped) {
        SearchResult result;
        result.certified = proven(request.w);
        result.status = status(stopped, result.certified);
        result.plan = std::move(best_.plan);
        result.cost = best_.cost;
        result.lower_bound = lower_bound_;
        result.statistics = statistics();
        result.work = work();
        return result;
    }

private:
    [[gnu::noinline]] void take_over() {
        seen_version_ = request.incumbents->version();
        Incumbent news = request.incumbents->best();
        take_outside_bound(news.lower_bound);
        if (news.cost < best_.cost) take_plan(std::move(news));
    }
    void take_outside_bound(Cost bound) {
        if (bound <= outside_bound_) return;
        outside_bound_ = bound;
        ++changes_;
        take_bound(bound);
    }
    void take_bound(Cost bound) {
        if (bound <= lower_bound_) return;
        lower_bound_ = bound;
        ++changes_;
        watch.lower_bound = bound;
        if (request.incumbents) request.incumbents->offer_bound(bound);
    }
    void take_plan(Incumbent found) {
        best_ = std::move(found);
        ++changes_;
        watch.incumbent = best_.cost;
    }
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
    Cost outside_bound_ = 0;
    std::uint64_t seen_version_ = 0;
    std::uint64_t changes_ = 0;
};

}  // namespace fsplan
