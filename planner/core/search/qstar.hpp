// Q* (Agostinelli, Shperberg, Shmakov, McAleer, Fox and Baldi, arXiv:2102.04518): the least g(s) + w·Q(s, a) first, where
// Q(s, a), the cost of the action plus what is left to go after it, is read off one call of the policy for s. A successor is
// evaluated only when it surfaces, and then expanded at once; most successors never are.
//
// A policy that gives values (Policy::gives_values) gives -Q as its scores. Otherwise Q(s, a) stands for
//     h(s) + log π(first choice) - log π(a):
// if π is a softmax over -Q, as that of `ff` is, the difference of two log-probabilities is that of their Q, and only the
// offset is h's. A policy that reads guides needs evaluated successors: with `ff`, they are evaluated when generated.
//
// Q* proves a bound if Q never overestimates, which cannot be known of a network; here the open nodes prove one by the
// admissible h, of which a successor inherits max(0, h(s) - c) until it is evaluated.
#pragma once

#include "search/loop.hpp"
#include "search/scorer.hpp"

namespace fsplan {

struct RealKey {
    const FlatArray<double>* keys;  // per node

    static bool is_integer() { return false; }
    std::int64_t operator()(StateId id, const Node&) const { return ordered((*keys)[id]); }
};

template <class R>
class QStar : public Loop<QStar<R>, R> {
    using Base = Loop<QStar<R>, R>;
    friend Base;

public:
    explicit QStar(R& run)
        : Base(run), scorer_(run, Reading::log_probabilities), open_(run, {&keys_}, TieRule(run.request.ties)),
          weight_(static_cast<double>(run.request.w.numerator) / static_cast<double>(run.request.w.denominator)) {
        if (run.request.policy == nullptr) throw std::invalid_argument("qstar needs a policy");
        gives_values_ = run.request.policy->gives_values();
    }
    QStar(const QStar&) = delete;
    QStar& operator=(const QStar&) = delete;

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) {
        keys_.resize(space_.size(), 0);
        open_.push(id);
    }
    Cost least_f() { return open_.find_first() ? 0 : kDeadEnd; }
    bool take_turn() {
        const StateId id = open_.pop();
        if (space_[id].awaits_evaluation()) evaluator_.evaluate(id);
        return !space_[id].is_open() || this->visit(id);
    }
    void expand(StateId id) {
        const auto score = [&] { score_edges(id); };
        const auto opened = [&](std::size_t i) {
            keys_.resize(space_.size(), 0);
            keys_[edges_.children[i]] = space_[id].g + weight_ * value(i);
            open_.push(edges_.children[i]);
        };
        if (scorer_.reads_labels_only()) this->expand_scored(id, evaluator_.on_surfacing(), score, opened);
        else this->expand_scored(id, evaluator_.at_generation(), score, opened);
    }
    void score_edges(StateId id) {
        scores_ = scorer_.score(id, edges_);
        if (gives_values_ || scores_.empty()) return;
        offset_ = space_[id].h() + double{*std::ranges::max_element(scores_)};
    }
    double value(std::size_t edge) const { return (gives_values_ ? 0 : offset_) - scores_[edge]; }

    Scorer<R> scorer_;
    FlatArray<double> keys_;
    OpenQueue<R, RealKey, DiesWith::path, NodeQueue> open_;
    double weight_;
    bool gives_values_ = false;
    std::span<const float> scores_;
    double offset_ = 0;
};

struct QStarSearch {
    static constexpr SearchInfo info{
        .name = "qstar",
        .summary = "Q*: the least g + w·Q(s, a) by one call of the policy per state; successors are evaluated when they surface.",
        .reads = "w policy masked ties reopen uncertified anytime",
        .proves = "nothing",
        .defaults = "ties=h,newest",
        .open_proves_bound = true,
        .needs_policy = always,
        .guide_demand = guides_of_scores};
    template <class R>
    static auto make(R& run) {
        return QStar<R>(run);
    }
};

}  // namespace fsplan
