// The state that all searches have: space, evaluator, incumbent, lower bound, and the conditions under which they end.
//
// Plans and bounds also come from elsewhere: with the request (known_plan, known_bound), or while the search runs, from
// other searches that share its Incumbents. A plan found by another search prunes like one of this search, and a bound
// proven by another search certifies the plan of this one.
#pragma once

#include "contract/incumbents.hpp"
#include "contract/weight.hpp"
#include "search/evaluation.hpp"
#include "search/search_space.hpp"

namespace fsplan {

class Run {
public:
    // The arguments must outlive the run.
    Run(const SearchRequest& asked, SearchSpace& its_space, Evaluator& its_evaluator);

    const SearchRequest& request;
    SearchSpace& space;
    Evaluator& evaluator;
    Watch& watch;
    // Work at which the slice ends. A better plan ends the slice at once, because it may end the whole run.
    std::uint64_t end_of_slice = 0;
    // Work of the search itself beyond generating and queueing states.
    std::uint64_t work_of_search = 0;

    // Work so far.
    std::uint64_t work() const {
        return kWorkOfState * space.statistics().generated + evaluator.work() + work_of_search;
    }

    bool has_plan() const { return best_.cost != kInfinite; }
    Cost cost() const { return best_.cost; }
    Cost lower_bound() const { return lower_bound_; }
    // Number of changes of the incumbent and of the bounds.
    std::uint64_t changes() const { return changes_; }
    // Greatest bound proven by other searches.
    Cost outside_bound() const { return outside_bound_; }
    bool proven(const Weight& w) const { return has_plan() && within(w, best_.cost, lower_bound_); }
    bool optimal() const { return has_plan() && lower_bound_ == best_.cost; }
    // Whether the incumbent is proven to be as good as requested.
    bool finished() const { return request.anytime ? optimal() : proven(request.w); }
    // The least lower bound that proves the incumbent to be as good as requested.
    Cost bound_to_finish() const { return request.anytime ? best_.cost : least_bound_within(request.w, best_.cost); }
    // Whether no plan through this node is cheaper than the incumbent.
    bool hopeless(const Node& node) const { return (admissible_ ? node.f() : node.g) >= best_.cost; }

    // Raises the lower bound. The caller has shown that no plan costs less, provided that h is admissible and that no
    // cheaper path to a closed node was ignored.
    void raise_bound(Cost bound) {
        if (space.left_out()) bound = std::min(bound, kInfinite - 1);
        if (!admissible_ || !space.bound_valid()) return;
        take_bound(std::min(bound, best_.cost));
    }
    // Called when no open node is left: every reachable state that can lead to a better plan has been expanded. Without
    // an incumbent the task is unsolvable, even if cheaper paths were ignored.
    void raise_bound_to_end();
    void raise_bound_by_open() { raise_bound(space.least_open_f()); }

    // Keeps the plan to this goal if it is the cheapest so far.
    bool accept(StateId goal) { return accept_plan(space.plan(goal)); }
    // Keeps a plan that is a path of the searched graph, if it is the cheapest so far. It is first translated to a
    // plan of the task, because the graph may merge symmetric states.
    bool accept_plan(Incumbent found) {
        if (found.cost >= best_.cost) return false;
        found.plan = space.plan_of_task(std::move(found.plan));
        return accept_plan_of_task(std::move(found));
    }
    void announce();
    // Takes over plans and bounds that other searches have found since the last call.
    void take_news() {
        if (request.incumbents && request.incumbents->version() != seen_version_) take_over();
    }

    SearchResult finish(std::optional<Status> stopped);

private:
    bool accept_plan_of_task(Incumbent found);
    void take_over();
    void take_outside_bound(Cost bound);
    void take_bound(Cost bound);
    void take_plan(Incumbent found);
    std::string refuted(Cost cost) const;
    Status status(std::optional<Status> stopped, bool certified) const;
    Statistics statistics();

    bool admissible_;  // whether the heuristic is admissible
    Incumbent best_{{}, kInfinite, 0};
    Cost lower_bound_ = 0;
    Cost outside_bound_ = 0;
    std::uint64_t seen_version_ = 0;
    std::uint64_t changes_ = 0;
};

}  // namespace fsplan
