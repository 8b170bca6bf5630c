// Optimistic search: finds a first plan, then proves that it is within w or finds a better one, whichever is sooner.
//
// A dive (dive.hpp) searches for the first plan. Then three queues over the same open nodes take turns: the queue by f
// raises the lower bound; the queue by steps to go, of nodes with f <= w * bound, searches for a plan that ends the
// search; the queue by g + w * h searches for any better plan. While there is no plan, the dive takes turns, too. Goals
// are accepted when they are generated. Nodes that cannot lead to a better plan are pruned, and the search ends once
// the plan costs at most w * bound. All parts share one search space; nodes that were not evaluated at generation, or
// only cheaply, are evaluated when they leave a queue.
#include "search/dive.hpp"
#include "search/estimates.hpp"
#include "search/loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class Optimistic : public Loop<Optimistic> {
    using Base = Loop<Optimistic>;
    friend Base;

public:
    explicit Optimistic(Run& run)
        : Base(run), dive_(run), by_f_(run, FKey(), ties()), by_steps_(run, {&run.evaluator}, ties(), ties()),
          by_weight_(run, weighted_key(run.request.w), ties()) {}

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    static constexpr std::uint64_t kFirstDive = 1000;
    static constexpr int kDiveSteps = 16;
    // Number of evaluations after which a turn ends. A dive leaves many nodes unevaluated; without this limit one queue
    // would block the others.
    static constexpr std::uint64_t kEvaluations = 16;
    static TieRule ties() { return TieRule({Tie::h, Tie::newest}); }

    void enter(StateId id) {
        if (first_dive_) return start_dive(id);
        if (run_.hopeless(space_[id])) return;
        by_f_.push(id);
        by_weight_.push(id);
        by_steps_.push(id);
    }
    Cost least_f() {
        if (first_dive_) return 0;
        return by_f_.find_first() ? static_cast<Cost>(by_f_.first_key()) : kInfinite;
    }
    bool take_turn() {
        if (first_dive_) return dive_first();
        switch (turn_++ % 4) {
            case 0: return this->expand_best(by_f_, kEvaluations);
            case 1: return this->expand_best(by_steps_, kEvaluations);
            case 2: return this->expand_best(by_weight_, kEvaluations);
            default: return dive_on();
        }
    }
    void limit_changed(Cost limit) {
        if (!first_dive_) by_steps_.set_limit(limit);
    }
    void expand(StateId id) {
        this->expand_scored(
            id, evaluator_.cheaply(), [] {},
            [&](std::size_t i) {
                this->accept_if_goal(edges_.children[i]);
                enter(edges_.children[i]);
            });
    }

    void start_dive(StateId start) {
        this->accept_if_goal(start);
        dive_.add(start);
    }
    bool may_dive() { return !run_.has_plan() && !dive_.empty(); }
    // The queues are filled after the first dive, because on most tasks the dive alone finds a plan.
    bool dive_first() {
        if (may_dive()) dive_.step([&](StateId id) { this->accept_if_goal(id); });
        if (may_dive() && space_.statistics().expanded < kFirstDive) return true;
        first_dive_ = false;
        this->enter_all_open();
        return true;
    }
    bool dive_on() {
        for (int i = 0; i < kDiveSteps && may_dive(); ++i)
            dive_.step([&](StateId id) {
                this->accept_if_goal(id);
                enter(id);
            });
        return true;
    }

    Dive dive_;
    OpenQueue<FKey, DiesWith::key> by_f_;
    GatedQueue<StepsKey, DiesWith::key> by_steps_;
    OpenQueue<LinearKey, DiesWith::key> by_weight_;
    bool first_dive_ = true;
    std::uint32_t turn_ = 0;
};

}  // namespace

const SearchInfo optimistic_search{.name = "optimistic",
                                   .summary = "Finds a plan greedily, then improves plan and bound until w is proven.",
                                   .reads = "w policy reopen uncertified anytime",
                                   .proves = "w",
                                   .defaults = "",
                                   .guide_demand = all_guides,
                                   .make = [](Run& run) { return steps_of<Optimistic>(run); }};

// `auto`, the default. For ground tasks Python runs the portfolio of planner/search/portfolio instead, whose parts
// share one incumbent and one lower bound. For all other tasks `auto` is optimistic search, as declared here.
const SearchInfo auto_search{
    .name = "auto",
    .summary =
        "A portfolio: searches, bounds of the initial state and plan improvement share results until w is proven.",
    .reads = "w policy anytime threads",
    .proves = "w",
    .defaults = "symmetry=true",
    .guide_demand = all_guides,
    .make = [](Run& run) { return steps_of<Optimistic>(run); }};

}  // namespace fsplan
