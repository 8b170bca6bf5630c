// What every search shares: its space, its evaluator, the best plan and the greatest bound it knows, and how it ends.
//
// Plans and bounds also come from elsewhere: with the request (known_plan, known_bound), or while the search runs, from
// others that share its Incumbents. A plan found elsewhere prunes as well as one found here, and a bound proven elsewhere is
// as good a certificate.
#pragma once

#include <optional>
#include <string>

#include "incumbents.hpp"
#include "search/evaluation.hpp"
#include "search/search_space.hpp"
#include "weight.hpp"

namespace fsplan {

class Run {
public:
    // All three must outlive the run.
    Run(const SearchRequest& asked, SearchSpace& its_space, Evaluator& its_evaluator);

    const SearchRequest& request;
    SearchSpace& space;
    Evaluator& evaluator;
    Watch& watch;
    // The work at which the slice ends. A better plan for others to see ends it at once: it may be all that was missing.
    std::uint64_t end_of_slice = 0;
    // Of the search itself, where that is more than to generate and queue states.
    std::uint64_t work_of_search = 0;

    // What the search has done so far.
    std::uint64_t work() const {
        return kWorkOfState * space.statistics().generated + evaluator.work() + work_of_search;
    }

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
    bool hopeless(const Node& node) const { return (admissible_ ? node.f() : node.g) >= best_.cost; }

    // The caller has shown that no plan costs less, provided that h is admissible and that no re-opening was left out.
    void raise_bound(Cost bound) {
        if (space.left_out()) bound = std::min(bound, kDeadEnd - 1);
        if (!admissible_ || !space.bound_valid()) return;
        take_bound(std::min(bound, best_.cost));
    }
    // No open node is left. Every state that can matter has then been expanded, so without a plan there is none, even if
    // cheaper paths were ignored.
    void raise_bound_to_end();
    void raise_bound_by_open() { raise_bound(space.least_open_f()); }

    // The node is a goal: keeps its plan if it is the best so far.
    bool accept(StateId goal) { return accept_plan(space.plan(goal)); }
    bool accept_plan(Incumbent found);
    void announce();
    // Takes over what other searches have found since the last call.
    void take_news() {
        if (request.incumbents && request.incumbents->version() != seen_version_) take_over();
    }

    SearchResult finish(std::optional<Status> stopped);

private:
    void take_over();
    void take_outside_bound(Cost bound);
    void take_bound(Cost bound);
    void take_plan(Incumbent found);
    std::string refuted(Cost cost) const;
    Status status(std::optional<Status> stopped, bool certified) const;
    Statistics statistics();

    bool admissible_;  // the heuristic
    Incumbent best_{{}, kDeadEnd, 0};
    Cost lower_bound_ = 0;
    Cost outside_bound_ = 0;
    std::uint64_t seen_version_ = 0;
    std::uint64_t changes_ = 0;
};

}  // namespace fsplan
