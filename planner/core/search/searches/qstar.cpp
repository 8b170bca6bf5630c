// Q* (Agostinelli, Shperberg, Shmakov, McAleer, Fox and Baldi, arXiv:2102.04518): the least g(s) + w·Q(s, a) first,
// where Q(s, a) estimates the cost of the action plus the cost to go after it; one call of the policy gives it for all
// actions in s. A successor is evaluated only when it reaches the top of the queue, and then it is expanded at once;
// most successors are never evaluated.
//
// A policy that gives values (Policy::gives_values) has the scores -Q. For other policies Q(s, a) is defined as
//     h(s) + log π(first choice) - log π(a):
// if π is a softmax over -Q, as for the policy `ff`, then differences of log-probabilities are differences of Q, and
// the first choice has Q = h(s). A policy that reads guides needs evaluated successors, so with `ff` successors are
// evaluated at generation.
//
// Q* proves a bound if Q never overestimates, which cannot be guaranteed for a network. So the bound comes from the
// admissible h of the open nodes; until its evaluation a successor inherits max(0, h(s) - c).
#include "search/scored_loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

struct RealKey {
    const FlatArray<double>* keys;  // per node

    static bool is_integer() { return false; }
    std::int64_t operator()(StateId id, const Node&) const { return ordered((*keys)[id]); }
};

class QStar : public ScoredLoop<QStar, double, RealKey> {
    using Base = ScoredLoop<QStar, double, RealKey>;
    friend Base;
    friend Loop<QStar>;

public:
    explicit QStar(Run& run)
        : Base(run),
          weight_(static_cast<double>(run.request.w.numerator) / static_cast<double>(run.request.w.denominator)),
          gives_values_(run.request.policy->gives_values()) {}

private:
    using Base::evaluator_, Base::scores_, Base::space_;

    bool take_turn() {
        const StateId id = this->open_.pop();
        if (space_[id].awaits_evaluation()) evaluator_.evaluate(id);
        return !space_[id].is_open() || this->visit(id);
    }
    void expand(StateId id) {
        if (this->scorer_.reads_labels_only()) this->expand_by_scores(id, evaluator_.on_surfacing());
        else this->expand_by_scores(id, evaluator_.at_generation());
    }
    void scored(StateId id) {
        if (!gives_values_ && !scores_.empty()) offset_ = space_[id].h() + double{*std::ranges::max_element(scores_)};
    }
    double value(StateId id, std::size_t i) const {
        return space_[id].g + weight_ * ((gives_values_ ? 0 : offset_) - scores_[i]);
    }

    double weight_;
    bool gives_values_;
    double offset_ = 0;
};

}  // namespace

const SearchInfo qstar_search = scored_search(
    "qstar",
    "Q*: the least g + w·Q(s, a), with one call of the policy per state; successors are evaluated when expanded.",
    steps_of<QStar>);

}  // namespace fsplan
