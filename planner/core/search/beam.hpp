// Beam search by the policy: in layers, of each only the `width` states whose paths have the best scores.
//
// A path's score is the sum of log π of its actions, which is unfair to paths through states with many actions: where a
// hundred actions share the probability, even the first choice costs much. Two ways to normalise:
//   first    each action's log π less that of the first choice in its state: along the first choices a path costs nothing;
//   length   the mean of log π instead of the sum. Within a layer all paths are equally long, so this matters only below.
// A state belongs to the layer in which it was first reached, or was reached more cheaply.
//
// States that were left out stay open nodes. When a layer is empty the search goes on with the best of all of them, of
// whatever length, so it is complete; and the open nodes prove a bound when it ends. None is promised.
#pragma once

#include "search/loop.hpp"
#include "search/policy_path.hpp"
#include "search/scorer.hpp"

namespace fsplan {

struct ScoreKey {
    const FlatArray<PolicyPath>* paths;  // per node
    bool by_length;

    static bool is_integer() { return false; }
    std::int64_t operator()(StateId id, const Node&) const {
        const PolicyPath& path = (*paths)[id];
        return ordered(by_length ? -path.log_likelihood / path.states : -path.log_likelihood);
    }
};

template <class R>
class Beam : public Loop<Beam<R>, R> {
    using Base = Loop<Beam<R>, R>;
    friend Base;

public:
    explicit Beam(R& run)
        : Base(run), scorer_(run, Reading::log_probabilities), normalise_(run.request.normalise), width_(run.request.width),
          next_(run, {&paths_, normalise_ == Normalise::length}, TieRule(run.request.ties)) {
        if (run.request.policy == nullptr) throw std::invalid_argument("beam needs a policy");
    }
    Beam(const Beam&) = delete;
    Beam& operator=(const Beam&) = delete;

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) {
        paths_.resize(space_.size(), {});
        next_.push(id);
    }
    // Makes sure that the layer has a node to expand; of an empty one the next is made.
    Cost least_f() {
        if (!find_in_layer() && !make_layer()) {
            this->enter_all_open();
            if (!make_layer()) return kDeadEnd;
        }
        return 0;
    }
    bool take_turn() { return this->visit(layer_[at_++]); }
    bool find_in_layer() {
        while (at_ < layer_.size() && !(space_[layer_[at_]].is_open() && !run_.hopeless(space_[layer_[at_]]))) ++at_;
        return at_ < layer_.size();
    }
    bool make_layer() {
        layer_.clear();
        at_ = 0;
        while (layer_.size() < width_ && next_.find_first()) layer_.push_back(next_.pop());
        next_.clear();
        return !layer_.empty();
    }
    void expand(StateId id) {
        const auto score = [&] { score_edges(id); };
        this->expand_scored(id, evaluator_.at_generation(), score, [&](std::size_t i) {
            paths_.resize(space_.size(), {});
            paths_[edges_.children[i]] = paths_[id].extended(double{scores_[i]} - par_);
            next_.push(edges_.children[i]);
        });
    }
    void score_edges(StateId id) {
        scores_ = scorer_.score(id, edges_);
        par_ = normalise_ == Normalise::first && !scores_.empty() ? *std::ranges::max_element(scores_) : 0;
    }

    Scorer<R> scorer_;
    Normalise normalise_;
    std::size_t width_;
    FlatArray<PolicyPath> paths_;
    OpenQueue<R, ScoreKey, DiesWith::path, NodeQueue> next_;
    std::vector<StateId> layer_;
    std::size_t at_ = 0;  // the place of the next node in its layer
    std::span<const float> scores_;
    double par_ = 0;
};

struct BeamSearch {
    static constexpr SearchInfo info{
        .name = "beam",
        .summary = "Beam search: layer by layer, the states whose paths the policy likes best.",
        .reads = "w policy masked width normalise ties reopen uncertified anytime",
        .proves = "nothing",
        .defaults = "ties=h,newest",
        .open_proves_bound = true,
        .needs_policy = always,
        .guide_demand = guides_of_scores};
    template <class R>
    static auto make(R& run) {
        return Beam<R>(run);
    }
};

}  // namespace fsplan
