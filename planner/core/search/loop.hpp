// A search consists of queues over one search space and a rule that chooses the next queue. This is the loop of all
// searches.
//
// Overview of this folder. SearchSpace (search_space.hpp) holds states, nodes and the tree. The Evaluator
// (evaluation.hpp) computes h of the nodes, at generation or when they reach the top of a queue, and guides if they are
// read. Run (run.hpp) adds the best plan and the greatest bound. Queues (open_queue.hpp) order open nodes by a key,
// some behind a gate f <= w * bound. A Scorer (scorer.hpp) calls the policy for edges, an Order (order.hpp) computes
// keys from its scores. A search (best_first.hpp, searches/focal.cpp, …) derives from Loop and defines four functions:
//     enter(id)     inserts a node into queues; called when a new path has opened it, or after its evaluation
//     least_f()     a lower bound on f of all open nodes, from the queues; kInfinite if no open node can improve the
//                   incumbent
//     take_turn()   chooses the queue of the next expansion; usually `return expand_best(queue)`
//     expand(id)    generates and scores the successors; by default each is relaxed and entered as it is generated
// and, where it needs more, limit_changed (gates), restart (anytime), bound_beside. list.hpp lists the searches.
//
// One step of the loop:
//   1. Plans and bounds of other searches are read. The bound becomes the greatest least_f() so far: it never
//      drops, even if an inconsistent h lets the least f drop.
//   2. The search ends once the plan costs at most w * bound, or no open node can lead to a better plan.
//   3. Anytime: as soon as the plan is proven for the present weight, the weight moves halfway to 1, on the same nodes.
//      If h is inadmissible, nothing can be proven; then the weight is lowered by each better plan of this search.
//   4. The limit of the gates, w * bound but less than the plan's cost, is updated; nodes within the new limit pass.
//   5. The search takes a turn. The first live node of a queue leaves it. If it has not been evaluated yet, it is
//      evaluated and re-inserted with its new key. Otherwise it is closed, and if it is a goal, its plan is accepted
//      and the search ends (anytime: goes on); if not, it is expanded.
// A step does a bounded amount of work, so several searches can take turns in one process (in_progress.hpp).
#pragma once

#include "search/edges.hpp"
#include "search/open_queue.hpp"
#include "search/run.hpp"

namespace fsplan {

template <class Search>
class Loop {
public:
    explicit Loop(Run& run) : run_(run), space_(run.space), evaluator_(run.evaluator), w_(run.request.w) {}

    // Returns false when the search has ended.
    bool step() {
        if (!started_) start();
        return raise_bound() && self().take_turn();
    }

protected:
    // Defaults that a search may replace

    // Whether the loop counts the open nodes by f, in counts_: for searches that have no queue by f.
    static constexpr bool kCountsOpen = false;
    // Whether least_f() is the least f of the open nodes; otherwise they are scanned when a goal is found.
    static constexpr bool kKnowsLeastF = true;
    void expand(StateId id) {
        space_.expand(id, evaluator_.at_generation(), [&](const Edge& edge) {
            if (relax(id, edge)) self().enter(edge.child);
        });
    }
    // Called with the new limit on f; gated queues (open_queue.hpp) admit only nodes whose f is within it.
    void limit_changed(Cost) {}
    // Called with the new weight of an anytime search, for which the incumbent is not yet good enough.
    void restart(const Weight&) {}
    // A lower bound that was proven without the queues.
    Cost bound_beside() { return 0; }

    // Building blocks for searches

    // Expands the first evaluated node of the queue. Nodes before it are evaluated and re-inserted; after `evaluations`
    // of them the turn ends. Returns false if a goal ends the search.
    template <class Queue>
    bool expand_best(Queue& queue, std::uint64_t evaluations = 1) {
        while (queue.find_first()) {
            const StateId id = queue.pop();
            if (!evaluated_now(id)) {
                if (run_.watch.is_observed()) [[unlikely]]
                    note_queue(queue, id);
                return visit(id);
            }
            if (--evaluations == 0) break;
        }
        return true;
    }
    template <class Queue>
    void note_queue(const Queue& queue, StateId id) {
        if constexpr (requires { queue.shown_key(id); }) run_.watch.note_queue(Queue::name(), queue.shown_key(id));
    }
    // Expands an evaluated node that has left its queue. Returns false if it is a goal that ends the search.
    bool visit(StateId id) {
        close(id);
        if (space_.is_goal(id)) return goes_on_after(id);
        self().expand(id);
        return true;
    }
    // Evaluates a node at the top of a queue if it awaits its evaluation, and re-inserts it with its new key.
    bool evaluated_now(StateId id) {
        if (!space_[id].awaits_evaluation()) return false;
        uncount(space_[id]);
        evaluator_.evaluate(id);
        if (space_[id].is_open()) {
            count(space_[id]);
            self().enter(id);
        }
        return true;
    }
    void close(StateId id) {
        uncount(space_[id]);
        space_[id].become(NodeStatus::closed);
    }
    // Generates all successors, calls score(), which may read edges_, and then relaxes the improving edges: opened(i)
    // is called for each edge i that reduces the child's g. first_values says how new nodes are evaluated.
    template <class Score, class Opened>
    void expand_scored(StateId id, FirstValues first_values, Score score, Opened opened) {
        edges_.clear();
        space_.expand(id, first_values, [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); });
        space_.keep_open(id);
        score();
        for (const std::uint32_t i : edges_.improving())
            if (relax(id, edges_[i])) opened(i);
        space_.keep_open(kNoState);
    }
    // The same as expand_scored, for a score() that reads only the labels (actions and costs) of the edges. While it
    // runs, the memory of the successors is prefetched.
    template <class Score, class Opened>
    void expand_listed(StateId id, Score score, Opened opened) {
        edges_.clear();
        space_.list(id, [&](ActionId action, Cost cost) { edges_.add(action, cost); });
        score();
        std::size_t next = 0;
        space_.expand_listed(id, evaluator_.at_generation(), [&](const Edge& edge) {
            const std::size_t i = next++;
            edges_.children[i] = edge.child;
            if (relax(id, edge)) opened(i);
        });
    }
    // Accepts the plan to a goal that has left a queue; returns whether the search continues.
    bool goes_on_after(StateId goal) {
        const bool better = run_.accept(goal);
        run_.raise_bound(Search::kKnowsLeastF ? bound_ : space_.least_open_f());
        if (better) run_.announce();
        if (!run_.request.anytime || run_.optimal()) return false;
        lower_weight();
        return true;
    }
    // Accepts the plan of a generated goal, for searches that do not wait until a goal is expanded.
    void accept_if_goal(StateId id) {
        if (!space_.is_goal(id) || !run_.accept(id)) return;
        run_.raise_bound(bound_);
        run_.announce();
    }
    // Inserts all open nodes into queues that have been cleared.
    void enter_all_open() {
        for (StateId id = 0; id < space_.size(); ++id)
            if (space_[id].is_open() && !run_.hopeless(space_[id])) self().enter(id);
        forget_limit();
    }
    // Makes the loop call limit_changed before the next turn.
    void forget_limit() {
        known_ = {};
        limit_for_cost_ = -1;
    }

    Run& run_;
    SearchSpace& space_;
    Evaluator& evaluator_;
    Weight w_;  // current weight; an anytime search lowers it
    EdgeList edges_;
    CostCounts counts_;

private:
    Search& self() { return static_cast<Search&>(*this); }

    void start() {
        started_ = true;
        const StateId id = evaluator_.add_start();
        run_.raise_bound(space_[id].h());
        if (!space_[id].is_open()) return;
        count(space_[id]);
        self().enter(id);
    }

    // Steps 1 to 4 of the loop described at the head of this file. Returns false when the search has ended.
    bool raise_bound() {
        run_.take_news();
        const Cost f_min = self().least_f();
        // Most expansions change none of these values; then the rest of this function would have the same result as
        // last time.
        const Known known{f_min, self().bound_beside(), run_.changes()};
        if (known == known_) return true;
        run_.watch.f_min = f_min;
        learn(std::max({f_min, run_.outside_bound(), known.bound_beside}));
        if (f_min >= run_.cost() || bound_ == kInfinite) return false;
        if (run_.has_plan()) {
            if (run_.finished()) return false;
            if (run_.proven(w_)) lower_weight();
        }
        if (bound_ != limit_for_bound_ || run_.cost() != limit_for_cost_) set_limit();
        known_ = known;
        return true;
    }
    void learn(Cost bound) {
        if (bound <= bound_) return;
        bound_ = bound;
        bound == kInfinite ? run_.raise_bound_to_end() : run_.raise_bound(bound);
    }
    void set_limit() {
        limit_for_bound_ = bound_;
        limit_for_cost_ = run_.cost();
        self().limit_changed(std::min(threshold(w_, bound_), run_.cost() - 1));
    }
    // With an inadmissible h there is no bound, so every better plan lowers the weight.
    void lower_weight() {
        if (!evaluator_.admissible()) w_ = halved(w_, run_.cost());
        while (w_.numerator > w_.denominator && run_.proven(w_)) w_ = halved(w_, run_.lower_bound());
        forget_limit();
        self().restart(w_);
    }

    [[gnu::always_inline]] bool relax(StateId id, const Edge& edge) {
        if constexpr (Search::kCountsOpen) {
            const Node before = space_[edge.child];
            if (!space_.relax(id, edge)) return false;
            if (before.is_open()) uncount(before);
            count(space_[edge.child]);
            return true;
        } else {
            return space_.relax(id, edge);
        }
    }
    void count(const Node& node) {
        if constexpr (Search::kCountsOpen) counts_.add(node.f());
    }
    void uncount(const Node& node) {
        if constexpr (Search::kCountsOpen) counts_.remove(node.f());
    }

    // The values on which the bound, the weight and the limit of the gates depend.
    struct Known {
        Cost f_min = -1;
        Cost bound_beside = -1;
        std::uint64_t changes = 0;  // number of changes of the incumbent and of bounds
        bool operator==(const Known&) const = default;
    };

    bool started_ = false;
    Known known_;
    Cost bound_ = -1;            // greatest lower bound so far
    Cost limit_for_bound_ = -1;  // bound and cost from which the limit of the gates was computed
    Cost limit_for_cost_ = -1;
};

}  // namespace fsplan
