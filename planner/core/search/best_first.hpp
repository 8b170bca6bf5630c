// A*, weighted A* and greedy best-first search: one loop, a linear key.
//
// Bounds. Let K be the least key, den*g + num*h, over the open nodes. Some open node lies on an optimal path with its
// optimal g (space.hpp), so K <= den*g + num*h* <= num*C*: ceil(K / num) is a lower bound, and a goal that leaves the
// queue with key den*cost proves cost <= w*C*. When a plan is found, the least g + h over the open nodes, which needs
// one pass over them, is often a better bound still, and the only one of greedy search (den = 0).
#pragma once

#include "search/run.hpp"
#include "search/ties.hpp"

namespace fsplan {

struct LinearKey {
    std::int64_t g;
    std::int64_t h;

    std::int64_t operator()(const Node& node) const { return g * node.g + h * node.h(); }
    Cost bound(std::int64_t key) const {
        return g == 0 ? 0 : static_cast<Cost>(std::min<std::int64_t>((key + h - 1) / h, kDeadEnd));
    }
};

inline LinearKey weighted_key(const Weight& asked) {
    const Weight w = rounded_down(asked);
    return {w.denominator, w.numerator};
}

template <class R>
class BestFirst {
public:
    BestFirst(R& run, LinearKey key)
        : run_(run), space_(run.space), ties_(run.request.ties), key_(key), w_(run.request.w),
          queue_(ties_.newest(), ties_.uses_second()) {}

    void search() {
        const StateId start = run_.evaluator.add_start();
        run_.prove(space_[start].h());
        push(start);
        while (!queue_.empty()) {
            const std::int64_t key = queue_.top_priority().key;
            const Entry entry = queue_.top();
            queue_.pop();
            if (!space_.is_live(entry) || run_.hopeless(space_[entry.id])) continue;
            if (key > greatest_key_) raise(key);
            if (run_.optimal()) return;
            space_[entry.id].become(NodeStatus::closed);
            if (space_.is_goal(entry.id)) {
                if (found(entry.id)) return;
            } else {
                expand(entry.id);
            }
        }
        run_.prove_exhausted();
    }

private:
    void push(StateId id) {
        const Node& node = space_[id];
        if (node.is_open()) queue_.push(ties_.priority(key_(node), node), {id, node.g});
    }
    void expand(StateId id) {
        space_.expand(id, run_.evaluator.at_generation(), [&](const Edge& edge) {
            if (space_.relax(id, edge)) push(edge.child);
        });
    }
    void raise(std::int64_t key) {
        greatest_key_ = key;
        run_.watch.f_min = key_.bound(key);
        run_.prove(key_.bound(key));
        if (run_.request.anytime && run_.proven(w_)) lower_weight();
    }
    // True: the search ends here.
    bool found(StateId goal) {
        const bool better = run_.accept(goal);
        run_.prove_by_open();
        if (better) run_.announce();
        if (!run_.request.anytime || run_.optimal()) return true;
        lower_weight();
        return false;
    }
    // Anytime: goes on with a weight for which the plan at hand is not yet good enough, on the same nodes.
    void lower_weight() {
        while (w_.numerator > w_.denominator && run_.proven(w_)) w_ = halved(w_, run_.lower_bound());
        key_ = weighted_key(w_);
        greatest_key_ = -1;
        queue_ = BucketQueue(ties_.newest(), ties_.uses_second());
        for (StateId id = 0; id < space_.size(); ++id)
            if (!run_.hopeless(space_[id])) push(id);
    }

    R& run_;
    decltype(R::space)& space_;
    TieRule ties_;
    LinearKey key_;
    Weight w_;
    BucketQueue queue_;
    std::int64_t greatest_key_ = -1;
};

struct AStarSearch {
    static constexpr SearchInfo info{.name = "astar",
                                     .summary = "A*: a plan of least cost.",
                                     .reads = "ties reopen uncertified anytime",
                                     .proves = "optimal",
                                     .ties = "h,newest",
                                     .open_proves_bound = true};
    template <class R>
    static void search(R& run) {
        BestFirst<R>(run, {1, 1}).search();
    }
};

struct WeightedAStarSearch {
    static constexpr SearchInfo info{.name = "wastar",
                                     .summary = "Weighted A*: f = g + w·h, with re-opening.",
                                     .reads = "w ties reopen uncertified anytime",
                                     .proves = "w",
                                     .ties = "h,newest",
                                     .open_proves_bound = true};
    template <class R>
    static void search(R& run) {
        BestFirst<R>(run, weighted_key(run.request.w)).search();
    }
};

struct GreedySearch {
    static constexpr SearchInfo info{
        .name = "gbfs",
        .summary = "Greedy best-first search: least h first; certified only if the open nodes happen to prove w.",
        .reads = "w ties reopen uncertified anytime",
        .proves = "nothing",
        .ties = "h,newest",
        .open_proves_bound = true};
    template <class R>
    static void search(R& run) {
        BestFirst<R>(run, {0, 1}).search();
    }
};

}  // namespace fsplan
