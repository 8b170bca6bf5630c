// A quick way to some plan: lazy greedy search. A node is evaluated when it is expanded; until then it stands where its
// parent's guide and steps, or the number of steps that left the policy's first choice, put it. Successors by helpful actions, or
// by the policy's first choice, are also in a list of their own, which gets 1000 extra turns whenever the guide and steps
// reach a new low. Nodes reached again more cheaply after their expansion are left open for others.
#pragma once

#include "search/run.hpp"
#include "search/scorer.hpp"

namespace fsplan {

template <class R>
class Dive {
public:
    explicit Dive(R& run)
        : run_(run), space_(run.space), scorer_(run),
          by_policy_(run.request.policy != nullptr && !run.request.policy->needs_guide()) {}

    void add(StateId id) { push(regular_, id, 0); }
    bool empty() { return !(drop_stale(preferred_) | drop_stale(regular_)); }

    // Expands one node and calls opened(id) for every node that is open by a new path.
    template <class Opened>
    void step(Opened opened) {
        BucketQueue& list = next_list();
        const Entry entry = list.top();
        list.pop();
        if (space_[entry.id].awaits_evaluation()) run_.evaluator.evaluate_quickly(entry.id);
        if (!space_[entry.id].is_open() || run_.hopeless(space_[entry.id])) return;
        note_progress(promise(entry.id));
        expand(entry.id, opened);
    }

private:
    bool drop_stale(BucketQueue& list) {
        while (!list.empty() && !space_.is_live(list.top())) list.pop();
        return !list.empty();
    }
    BucketQueue& next_list() {
        if (preferred_.empty()) return regular_;
        if (regular_.empty()) return preferred_;
        const bool turn = preferred_turns_ <= regular_turns_;
        ++(turn ? preferred_turns_ : regular_turns_);
        return turn ? preferred_ : regular_;
    }
    // Actions that cost nothing still take a step.
    std::int64_t promise(StateId id) const { return std::int64_t{run_.evaluator.guide(id)} + run_.evaluator.steps(id); }
    void note_progress(std::int64_t promise) {
        if (promise >= least_promise_) return;
        least_promise_ = promise;
        preferred_turns_ -= kBoost;
    }
    void push(BucketQueue& list, StateId id, std::int64_t key) { list.push({key, 0, 0}, {id, space_[id].g}); }

    template <class Opened>
    void expand(StateId id, Opened opened) {
        edges_.clear();
        space_.expand(id, run_.evaluator.on_surfacing(), [&](const Edge& edge) { edges_.add(edge, true); });
        space_[id].become(NodeStatus::closed);
        choose(id);
        discrepancies_.resize(space_.size(), 0);
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            const StateId child = edges_.children[i];
            const bool expanded = space_[child].status() == NodeStatus::closed;
            if (!space_.relax(id, edges_[i])) continue;
            discrepancies_[child] = discrepancies_[id] + (chosen_[i] ? 0 : 1);
            if (!expanded) enter(id, child, chosen_[i]);
            opened(child);
        }
    }
    void enter(StateId parent, StateId child, bool chosen) {
        const std::int64_t key = by_policy_ ? discrepancies_[child] : promise(parent);
        push(regular_, child, key);
        if (chosen) push(preferred_, child, key);
    }
    void choose(StateId id) {
        chosen_.assign(edges_.size(), 0);
        if (by_policy_) {
            if (edges_.size() != 0) chosen_[scorer_.first_choice(scorer_.score(id, edges_))] = 1;
            return;
        }
        const auto helpful = run_.evaluator.helpful(id);
        for (std::size_t i = 0; i < edges_.size(); ++i)
            chosen_[i] = std::binary_search(helpful.begin(), helpful.end(), edges_.actions[i]);
    }

    static constexpr std::int64_t kBoost = 1000;
    R& run_;
    decltype(R::space)& space_;
    Scorer<R> scorer_;
    bool by_policy_;
    BucketQueue preferred_{false};
    BucketQueue regular_{false};
    FlatArray<std::uint32_t> discrepancies_;
    EdgeList edges_;
    std::vector<std::uint8_t> chosen_;
    std::int64_t preferred_turns_ = 0;
    std::int64_t regular_turns_ = 0;
    std::int64_t least_promise_ = 2 * std::int64_t{kDeadEnd};
};

}  // namespace fsplan
