// IOS, improved optimistic search (Chen, Sturtevant, Doyle and Ruml, SoCS 2019): a greedier search finds a plan, then
// expansions by f prove that it is within w.
//
// Weighted A* often finds plans that are much better than its weight promises. So FOCAL looks for a plan with weight 2w
// - 1, and then OPEN, by f, raises the bound until the plan is within w. Two improvements on optimistic search (Thayer
// and Ruml, ICAPS 2008):
//   - FOCAL expands no state twice: a state that it reaches again by a cheaper path is left to OPEN;
//   - if OPEN finds a cheaper path to a state on the plan, the plan becomes cheaper at once.
//
// Bound. Every cheaper path re-opens its state, for OPEN at least, so the least f of the open nodes is a lower bound
// (search_space.hpp). It is at least FOCAL's own, the least g/(2w - 1) + h. FOCAL and OPEN share one space: a state
// that FOCAL reached by a cheapest path is not expanded again. If a plan of another search is known but not proven,
// FOCAL and OPEN alternate until FOCAL has found a cheaper one.
#include "search/loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

// 2w - 1.
inline Weight greedier(const Weight& asked) {
    const Weight w = rounded_down(asked, std::int64_t{1} << 29);
    return {2 * w.numerator - w.denominator, w.denominator};
}

class ImprovedOptimistic : public Loop<ImprovedOptimistic> {
    using Base = Loop<ImprovedOptimistic>;
    friend Base;

public:
    explicit ImprovedOptimistic(Run& run)
        : Base(run), focal_(run, weighted_key(greedier(run.request.w)), TieRule(run.request.ties)),
          open_(run, FKey(), TieRule(run.request.ties)) {}

private:
    using Base::edges_, Base::evaluator_, Base::run_, Base::space_;

    void enter(StateId id) {
        marks_.resize(space_.size(), {});
        open_.push(id);
        if (!has_own_plan() && !marks_[id].expanded) focal_.push(id);
    }
    bool has_own_plan() const { return goal_ != kNoState; }
    Cost least_f() { return open_.find_first() ? static_cast<Cost>(open_.first_key()) : kInfinite; }
    bool take_turn() {
        expand_or_accept(is_turn_of_focal() ? focal_.pop() : open_.pop());
        return true;
    }
    bool is_turn_of_focal() {
        if (has_own_plan() || !focal_.find_first()) return false;
        return !run_.has_plan() || turn_++ % 2 == 0;
    }
    // A goal does not end the search; the loop ends it as soon as the plan is proven.
    void expand_or_accept(StateId id) {
        this->close(id);
        if (!space_.is_goal(id)) return expand(id);
        goal_ = id;
        take_plan();
    }
    void expand(StateId id) {
        marks_[id].expanded = true;
        bool shortened = false;
        this->expand_scored(
            id, evaluator_.at_generation(), [] {},
            [&](std::size_t i) {
                enter(edges_.children[i]);
                shortened = shortened || marks_[edges_.children[i]].on_plan;
            });
        if (shortened) take_plan();
    }
    // Accepts the plan along the current tree path to the goal.
    void take_plan() {
        const Cost before = run_.cost();
        this->accept_if_goal(goal_);
        if (run_.cost() == before) return;
        for (StateId id = goal_; space_[id].has_parent(); id = space_[id].parent()) marks_[id].on_plan = true;
    }

    struct Marks {
        bool expanded = false;
        bool on_plan = false;  // whether the node is on the plan, or on an earlier plan
    };

    OpenQueue<LinearKey> focal_;
    OpenQueue<FKey> open_;
    FlatArray<Marks> marks_;  // per node
    StateId goal_ = kNoState;
    std::uint32_t turn_ = 0;
};

}  // namespace

const SearchInfo ios_search{
    .name = "ios",
    .summary = "Improved optimistic search: finds a plan with weight 2w-1, then expands by least f until it is proven.",
    .reads = "w ties uncertified anytime",
    .proves = "w",
    .make = [](Run& run) { return steps_of<ImprovedOptimistic>(run); }};

}  // namespace fsplan
