// The dive: finds a first plan by lazy greedy search. A node is evaluated when it is expanded. Its key in the queue is
// the guide of its parent plus the number of steps of the relaxed plan or, with a policy, the number of discrepancies
// on its path. Successors by helpful actions, or by the policy's first choice, are also in a preferred queue, which
// gets 1000 extra turns whenever guide plus steps reach a new minimum. A node that is reached by a cheaper path after
// its expansion is left to the other queues of the search.
#pragma once

#include "search/open_queue.hpp"
#include "search/scorer.hpp"

namespace fsplan {

class Dive {
public:
    explicit Dive(Run& run)
        : run_(run), space_(run.space), evaluator_(run.evaluator), scorer_(run),
          by_policy_(run.request.policy != nullptr && !run.request.policy->needs_guide()),
          lists_(list(run), list(run), true) {}

    void add(StateId id) { lists_.regular.push(id, 0); }
    bool empty() { return !lists_.find_first(); }

    // Expands one node, if there is one, and calls opened(id) for every node that a new path has opened.
    template <class Opened>
    void step(Opened opened) {
        const StateId id = lists_.next().pop();
        if (space_[id].awaits_evaluation()) evaluator_.evaluate_cheaply(id);
        if (!space_[id].is_open() || run_.hopeless(space_[id])) return;
        lists_.note_estimate(promise(id));
        expand(id, opened);
    }

private:
    using List = OpenQueue<GivenKey>;
    static List list(Run& run) { return {run, GivenKey(), TieRule({Tie::oldest})}; }

    // The key. The number of steps is added so that actions of cost 0 count, too.
    std::int64_t promise(StateId id) const { return std::int64_t{evaluator_.guide(id)} + evaluator_.steps(id); }

    template <class Opened>
    void expand(StateId id, Opened opened) {
        edges_.clear();
        space_.expand(id, evaluator_.on_surfacing(),
                      [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); });
        space_[id].become(NodeStatus::closed);
        choose(id);
        discrepancies_.resize(space_.size(), 0);
        for (const std::uint32_t i : edges_.improving()) {
            const StateId child = edges_.children[i];
            const bool was_expanded = space_[child].status() == NodeStatus::closed;
            if (!space_.relax(id, edges_[i])) continue;
            discrepancies_[child] = discrepancies_[id] + (preferred_[i] ? 0 : 1);
            if (!was_expanded) enter(id, child, preferred_[i]);
            opened(child);
        }
    }
    void enter(StateId parent, StateId child, bool preferred) {
        const std::int64_t key = by_policy_ ? discrepancies_[child] : promise(parent);
        lists_.regular.push(child, key);
        if (preferred) lists_.preferred.push(child, key);
    }
    void choose(StateId id) {
        preferred_.assign(edges_.size(), 0);
        if (!by_policy_) {
            scorer_.mark_helpful(id, edges_, preferred_);
        } else if (edges_.size() != 0) {
            preferred_[scorer_.first_choice(scorer_.score(id, edges_))] = 1;
        }
    }

    Run& run_;
    SearchSpace& space_;
    Evaluator& evaluator_;
    Scorer scorer_;
    bool by_policy_;
    PreferredPair<List> lists_;
    FlatArray<std::uint32_t> discrepancies_;
    EdgeList edges_;
    std::vector<std::uint8_t> preferred_;  // per edge
};

}  // namespace fsplan
