// A*, weighted A* and greedy best-first search: one queue, a linear key.
//
// Bounds. Let K be the least key, den*g + num*h, over the open nodes. Some open node lies on an optimal path with its
// optimal g (search_space.hpp), so K <= den*g + num*h* <= num*C*: ceil(K / num) is a lower bound, and a goal that
// leaves the queue with key den*cost proves cost <= w*C*. When a plan is found, the least g + h over the open nodes,
// which needs one pass over them, is often a better bound still, and the only one of greedy search (den = 0).
#pragma once

#include "search/loop.hpp"

namespace fsplan {

// Key has two more functions: implied_bound, the lower bound that the least key of the open nodes proves, and
// for_weight, the key for another weight.
template <class Key = LinearKey>
class BestFirst : public Loop<BestFirst<Key>> {
    using Base = Loop<BestFirst<Key>>;
    friend Base;

public:
    BestFirst(Run& run, Key key) : Base(run), key_(key), open_(run, key, TieRule(run.request.ties)) {}

private:
    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) { open_.push(id); }
    // The first entry can be expanded at once: least_f has removed stale entries, and no evaluation is delayed.
    bool take_turn() { return this->visit(open_.pop()); }
    Cost least_f() {
        if (!open_.find_first()) return kInfinite;
        const std::int64_t key = open_.first_key();
        if (key != least_key_) {
            least_key_ = key;
            implied_bound_ = key_.implied_bound(key);
        }
        return implied_bound_;
    }
    // After its first plan greedy search continues as weighted A*.
    void restart(const Weight& w) {
        key_ = key_.for_weight(w);
        least_key_ = -1;
        open_.clear(key_);
        this->enter_all_open();
    }

    Key key_;
    OpenQueue<Key> open_;
    std::int64_t least_key_ = -1;  // last least key; its implied bound is cached to avoid a division per node
    Cost implied_bound_ = 0;
};

}  // namespace fsplan
