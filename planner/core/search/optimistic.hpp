// Optimistic search: a plan first, then the proof, or a better plan, whichever comes sooner.
//
// A dive brings a plan. Then three queues over the same open nodes take turns: the least f raises the lower bound; the
// fewest steps to go among the nodes with f <= w * bound look for a plan that ends the search; the least g + w * h
// improves the plan at hand. The dive keeps a turn while there is no plan. A goal counts as soon as it is generated.
// Nodes that cannot beat the plan are left out, and the search ends once the plan costs at most w * bound. All parts share
// one space; what was not evaluated, or only quickly, when it was generated is evaluated when it leaves a queue.
#pragma once

#include "search/best_first.hpp"
#include "search/dive.hpp"
#include "search/run.hpp"

namespace fsplan {

template <class R>
class Optimistic {
public:
    explicit Optimistic(R& run)
        : run_(run), space_(run.space), dive_(run), w_(run.request.w), weighted_(weighted_key(run.request.w)) {}

    void search() {
        const StateId start = run_.evaluator.add_start();
        run_.prove(space_[start].h());
        if (!space_[start].is_open()) return run_.prove_exhausted();
        if (space_.is_goal(start)) return found(start);
        dive_.add(start);
        while (!run_.has_plan() && !dive_.empty() && space_.statistics().expanded < kFirstDive)
            dive_.step([&](StateId id) { note(id); });
        fill_queues();
        while (raise_bound()) take_turn();
    }

private:
    struct Ranked {
        std::int64_t (Optimistic::*key)(StateId) const;
        BucketQueue nodes;
    };

    static constexpr std::uint64_t kFirstDive = 1000;
    // A turn ends after so many: a dive leaves a great many nodes unevaluated, and no queue may keep the others waiting.
    static constexpr int kEvaluations = 16;
    static constexpr int kDiveSteps = 16;

    // A goal is accepted as soon as it is generated.
    void note(StateId id) {
        if (space_.is_goal(id)) found(id);
    }
    void found(StateId goal) {
        if (!run_.accept(goal)) return;
        run_.prove(bound_);
        run_.announce();
    }

    bool finished() const { return run_.request.anytime ? run_.optimal() : run_.proven(run_.request.w); }

    // False: the plan is proven good enough, or no open node can lead to a better one.
    bool raise_bound() {
        const Cost f_min = drop_stale(by_f_) ? static_cast<Cost>(by_f_.nodes.top_priority().key) : kDeadEnd;
        run_.watch.f_min = f_min;
        if (f_min > bound_) {
            bound_ = f_min;
            f_min == kDeadEnd ? run_.prove_exhausted() : run_.prove(bound_);
        }
        if (finished() || f_min >= run_.cost()) return false;
        while (run_.proven(w_) && w_.numerator > w_.denominator) w_ = halved(w_, bound_);
        admit();
        return true;
    }
    void admit() {
        limit_ = std::min(threshold(w_, bound_), run_.cost() - 1);
        while (drop_stale(pending_) && pending_.nodes.top_priority().key <= limit_) {
            push(by_steps_, pending_.nodes.top().id);
            pending_.nodes.pop();
        }
    }

    void take_turn() {
        turn_ = (turn_ + 1) % 4;
        if (turn_ == 0) return expand_best(by_f_);
        if (turn_ == 1) return expand_best(by_steps_);
        if (turn_ == 2) return expand_best(by_weight_);
        for (int i = 0; i < kDiveSteps && !run_.has_plan() && !dive_.empty(); ++i)
            dive_.step([&](StateId id) {
                note(id);
                enter(id);
            });
    }

    // Expands the first node of the queue that is evaluated, and evaluates those before it.
    void expand_best(Ranked& queue) {
        for (int evaluations = 0; evaluations < kEvaluations && drop_stale(queue);) {
            const StateId id = queue.nodes.top().id;
            queue.nodes.pop();
            if (run_.hopeless(space_[id])) continue;
            if (&queue == &by_steps_ && space_[id].f() > limit_) {
                push(pending_, id);
            } else if (space_[id].awaits_evaluation()) {
                evaluate(id);
                ++evaluations;
            } else {
                return expand(id);
            }
        }
    }
    void evaluate(StateId id) {
        run_.evaluator.evaluate(id);
        if (space_[id].is_open()) enter(id);
    }
    void expand(StateId id) {
        edges_.clear();
        space_.expand(id, run_.evaluator.quickly(), [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); });
        space_[id].become(NodeStatus::closed);
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (!space_.relax(id, edges_[i])) continue;
            note(edges_.children[i]);
            enter(edges_.children[i]);
        }
    }

    void fill_queues() {
        for (StateId id = 0; id < space_.size(); ++id)
            if (space_[id].is_open()) enter(id);
    }
    void enter(StateId id) {
        const Node& node = space_[id];
        if (run_.hopeless(node)) return;
        push(by_f_, id);
        push(by_weight_, id);
        push(node.f() <= limit_ ? by_steps_ : pending_, id);
    }

    // Entries die when their node is closed or cheaper, and when an evaluation has changed its place.
    bool drop_stale(Ranked& queue) {
        while (!queue.nodes.empty() && !is_live(queue)) queue.nodes.pop();
        return !queue.nodes.empty();
    }
    bool is_live(const Ranked& queue) const {
        const Entry entry = queue.nodes.top();
        return space_.is_live(entry) && queue.nodes.top_priority().key == (this->*queue.key)(entry.id);
    }
    void push(Ranked& queue, StateId id) {
        const Node& node = space_[id];
        queue.nodes.push({(this->*queue.key)(id), node.h(), 0}, {id, node.g});
    }
    std::int64_t f_of(StateId id) const { return space_[id].f(); }
    std::int64_t steps_of(StateId id) const { return run_.evaluator.steps(id); }
    std::int64_t weighted_of(StateId id) const { return weighted_(space_[id]); }

    R& run_;
    decltype(R::space)& space_;
    Dive<R> dive_;
    Weight w_;
    LinearKey weighted_;
    Ranked by_f_{&Optimistic::f_of, BucketQueue()};
    Ranked by_steps_{&Optimistic::steps_of, BucketQueue()};
    Ranked by_weight_{&Optimistic::weighted_of, BucketQueue()};
    Ranked pending_{&Optimistic::f_of, BucketQueue()};
    EdgeList edges_;
    Cost bound_ = 0;
    Cost limit_ = -1;
    int turn_ = -1;
};

struct OptimisticSearch {
    static constexpr SearchInfo info{
        .name = "optimistic",
        .summary = "A quick plan first, then whatever proves it, or a better one, to be within w.",
        .reads = "w policy reopen uncertified anytime",
        .proves = "w",
        .guide_demand = [](const SearchRequest&) { return GuideDemand::all; }};
    template <class R>
    static void search(R& run) {
        Optimistic<R>(run).search();
    }
};

}  // namespace fsplan
