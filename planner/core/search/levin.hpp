// LevinTS and PHS*: best-first search by the likelihood of the path under the policy.
//
// Let π(n) be the product of the policy's probabilities along the path to n.
//   levin   d / π with d the number of states on the path (Orseau, Lelis, Lattimore and Weber, NeurIPS 2018). With a tree of
//           paths, at most d / π nodes are expanded before a goal is, for any goal's d and π: a good policy is rewarded, and
//           a poor one is survived, as d keeps what is likely but long from starving what is short;
//   phs     (g + h) / π^(1 + h/g) (PHS*; Orseau and Lelis, AAAI 2021): h says how much of the path is still to come, and
//           π^(h/g) how likely the policy is to find it if it goes on as it did so far. g counts as 1 at least.
// Both are compared as logarithms. They bound the number of expansions, not the cost of the plan: of that, what the open
// nodes prove in the end is reported.
#pragma once

#include <cmath>

#include "search/loop.hpp"
#include "search/policy_path.hpp"
#include "search/scorer.hpp"

namespace fsplan {

struct LikelihoodKey {
    const FlatArray<PolicyPath>* paths;  // per node
    bool with_h;

    static bool is_integer() { return false; }
    std::int64_t operator()(StateId id, const Node& node) const {
        const PolicyPath& path = (*paths)[id];
        if (!with_h) return ordered(std::log(path.states) - path.log_likelihood);
        const double g = std::max<Cost>(node.g, 1);
        return ordered(std::log(g + node.h()) - (1 + node.h() / g) * path.log_likelihood);
    }
};

template <class R>
class Levin : public Loop<Levin<R>, R> {
    using Base = Loop<Levin<R>, R>;
    friend Base;

public:
    Levin(R& run, bool with_h)
        : Base(run), scorer_(run, Reading::log_probabilities), open_(run, {&paths_, with_h}, TieRule(run.request.ties)) {
        if (run.request.policy == nullptr) throw std::invalid_argument("this search needs a policy");
    }
    Levin(const Levin&) = delete;
    Levin& operator=(const Levin&) = delete;

private:
    using Base::edges_, Base::space_, Base::evaluator_;
    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) {
        paths_.resize(space_.size(), {});
        open_.push(id);
    }
    Cost least_f() { return open_.find_first() ? 0 : kDeadEnd; }
    bool take_turn() { return this->expand_best(open_); }
    void expand(StateId id) {
        const auto score = [&] { scores_ = scorer_.score(id, edges_); };
        this->expand_scored(id, evaluator_.at_generation(), score, [&](std::size_t i) {
            paths_.resize(space_.size(), {});
            paths_[edges_.children[i]] = paths_[id].extended(scores_[i]);
            open_.push(edges_.children[i]);
        });
    }

    Scorer<R> scorer_;
    FlatArray<PolicyPath> paths_;
    OpenQueue<R, LikelihoodKey, DiesWith::path, NodeQueue> open_;
    std::span<const float> scores_;
};

struct LevinSearch {
    static constexpr SearchInfo info{
        .name = "levin",
        .summary = "LevinTS: the least path length over the path's likelihood under the policy first.",
        .reads = "w policy masked ties reopen uncertified anytime",
        .proves = "nothing",
        .defaults = "ties=h,newest",
        .open_proves_bound = true,
        .needs_policy = always,
        .guide_demand = guides_of_scores};
    template <class R>
    static auto make(R& run) {
        return Levin<R>(run, false);
    }
};

struct PolicyHeuristicSearch {
    static constexpr SearchInfo info{
        .name = "phs",
        .summary = "PHS*: as levin, with f for the length, and with how likely the rest of the path is by h.",
        .reads = "w policy masked ties reopen uncertified anytime",
        .proves = "nothing",
        .defaults = "ties=h,newest",
        .open_proves_bound = true,
        .needs_policy = always,
        .guide_demand = guides_of_scores};
    template <class R>
    static auto make(R& run) {
        return Levin<R>(run, true);
    }
};

}  // namespace fsplan
