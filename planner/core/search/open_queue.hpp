// Queues of open nodes, each with a key, a tie-breaking rule and, for some, a gate.
//
//   OpenQueue     all nodes that are pushed, least key first
//   GatedQueue    only nodes with f <= limit; the others wait, ordered by f, and enter when the limit has risen. FOCAL
//                 is a gated queue with limit w * bound. The gate may use another key than f.
//   PreferredPair a preferred and a regular queue, and the rule which of them is next
//
// Entries are never changed or removed inside a queue: they become stale, and are discarded when they reach the top.
// Consider a state s that is reached twice before it is expanded, first with g = 9, then with g = 7. It then has two
// entries, and only the one with g = 7 is live. When s is expanded it is closed, and the other entry is stale as well.
// Entries of nodes that cannot lead to a better plan than the incumbent are discarded in the same way. A node may
// change in two more ways: it may be evaluated while it waits (its h rises), and its key may depend on values that
// change later. The type of a queue says which events make an entry stale:
//   path         another path or the expansion
//   evaluation   these, or the evaluation, after which the node gets new entries
//   key          these, or a change of the key; an evaluation that leaves the key as it was changes nothing
#pragma once

#include "containers/queues.hpp"
#include "search/run.hpp"
#include "search/ties.hpp"

namespace fsplan {

// Keys. Each is called with the number of a node and the node; smaller first.

struct FKey {
    static constexpr const char* kName = "least f";
    std::int64_t operator()(StateId, const Node& node) const { return node.f(); }
};

// ceil(key / divisor), as a cost.
inline Cost bound_of_key(std::int64_t key, std::int64_t divisor) {
    return static_cast<Cost>(std::min<std::int64_t>((key + divisor - 1) / divisor, kInfinite));
}

// g·(cost so far) + h·(estimate).
struct LinearKey {
    static constexpr const char* kName = "weighted f";
    std::int64_t g;
    std::int64_t h;

    std::int64_t operator()(StateId, const Node& node) const { return g * node.g + h * node.h(); }
    // The lower bound that the least key of all open nodes implies; see best_first.hpp.
    Cost implied_bound(std::int64_t key) const { return g == 0 ? 0 : bound_of_key(key, h); }
    // Weighted A*'s key g + w·h, times the denominator of w.
    static LinearKey for_weight(const Weight& asked) {
        const Weight w = rounded_down(asked);
        return {w.denominator, w.numerator};
    }
};

inline LinearKey weighted_key(const Weight& w) { return LinearKey::for_weight(w); }

// A tag instead of a key: the caller passes the key with every push.
struct GivenKey {};

enum class DiesWith : std::uint8_t { path, evaluation, key };

template <class Key, DiesWith kDies = DiesWith::path, class Container = BucketQueue>
class OpenQueue {
public:
    OpenQueue(Run& run, Key key, TieRule ties) : run_(run), key_(key), ties_(ties), entries_(empty_container()) {}

    void push(StateId id) { push(id, key_(id, run_.space[id])); }
    void push(StateId id, std::int64_t key) {
        const Node& node = run_.space[id];
        entries_.push(ties_.priority(key, node), {id, stamp(node)});
    }
    // Discards stale entries from the top. Returns false if no live entry is left.
    bool find_first() {
        while (!entries_.empty()) {
            if (is_live(entries_.top())) return true;
            entries_.pop();
        }
        return false;
    }
    // Key of the first live entry; to be called after find_first.
    std::int64_t first_key() const { return entries_.top_priority().key; }
    StateId first() const { return entries_.top().id; }
    StateId pop() { return entries_.pop().id; }
    // Name of the queue, for observers of the search.
    static constexpr const char* name() {
        if constexpr (requires { Key::kName; }) return Key::kName;
        return "open";
    }
    double shown_key(StateId id) const {
        if constexpr (requires { key_.shown(id); }) {
            return key_.shown(id);
        } else if constexpr (requires { key_(id, run_.space[id]); }) {
            return static_cast<double>(key_(id, run_.space[id]));
        } else {
            return 0;
        }
    }
    void clear() { entries_ = empty_container(); }
    void clear(Key key) {
        key_ = key;
        clear();
    }
    // Calls visit(id) for live entries in the order of the queue until it returns false.
    template <class Visit>
    void in_order(Visit visit) const {
        entries_.in_order([&](const Entry& entry) { return !is_same_node(entry) || visit(entry.id); });
    }

private:
    // An entry stores a stamp of its node and is stale if the stamp has changed. The stamp is g or, before the
    // evaluation, ~g, which differs from every g.
    static Cost stamp(const Node& node) {
        if constexpr (kDies == DiesWith::evaluation) return node.awaits_evaluation() ? ~node.g : node.g;
        return node.g;
    }
    bool is_same_node(const Entry& entry) const {
        const Node& node = run_.space[entry.id];
        return node.is_open() && stamp(node) == entry.g;
    }
    bool is_live(const Entry& entry) const {
        if (!is_same_node(entry)) return false;
        if constexpr (kDies == DiesWith::key) {
            if (first_key() != key_(entry.id, run_.space[entry.id])) return false;
        }
        return !run_.hopeless(run_.space[entry.id]);
    }
    Container empty_container() const {
        if constexpr (std::is_same_v<Container, NodeQueue>) {
            return NodeQueue(key_.is_integer(), ties_.newest(), ties_.uses_second());
        } else {
            return Container(ties_.newest(), ties_.uses_second());
        }
    }

    Run& run_;
    Key key_;
    TieRule ties_;
    Container entries_;
};

template <class Key, DiesWith kDies, class Container = BucketQueue, class Gate = FKey>
class GatedQueue {
public:
    // `waiting` breaks ties among nodes with the same f outside the gate.
    GatedQueue(Run& run, Key key, TieRule ties, TieRule waiting, Gate gate = Gate())
        : run_(run), gate_(gate), inside_(run, key, ties), waiting_(run, gate, waiting) {}

    void push(StateId id) { admits(id) ? inside_.push(id) : waiting_.push(id); }
    void set_limit(Cost limit) {
        limit_ = limit;
        while (waiting_.find_first() && waiting_.first_key() <= limit_) inside_.push(waiting_.pop());
    }
    // A node inside the gate may have to leave it, because the limit has dropped or f has risen.
    bool find_first() {
        while (inside_.find_first()) {
            if (admits(inside_.first())) return true;
            waiting_.push(inside_.pop());
        }
        return false;
    }
    StateId first() const { return inside_.first(); }
    StateId pop() { return inside_.pop(); }
    static constexpr const char* name() { return decltype(inside_)::name(); }
    double shown_key(StateId id) const { return inside_.shown_key(id); }
    // Clears the queue; no node enters until the limit is set again.
    template <class... NewKey>
    void clear(NewKey... key) {
        limit_ = -1;
        inside_.clear(key...);
        waiting_.clear();
    }
    template <class Visit>
    void in_order(Visit visit) const {
        inside_.in_order(visit);
    }

private:
    bool admits(StateId id) const { return gate_(id, run_.space[id]) <= limit_; }

    Run& run_;
    Gate gate_;
    Cost limit_ = -1;
    OpenQueue<Key, kDies, Container> inside_;
    OpenQueue<Gate, kDies> waiting_;
};

// A preferred and a regular queue. Either they alternate, and every new minimum of the estimate gives the preferred
// queue 1000 extra turns (Fast Downward's alternation with boost), or the preferred queue always comes first.
template <class Queue>
class PreferredPair {
public:
    PreferredPair(Queue preferred_queue, Queue regular_queue, bool alternate)
        : preferred(std::move(preferred_queue)), regular(std::move(regular_queue)), alternate_(alternate) {}

    Queue preferred;
    Queue regular;

    bool find_first() { return preferred.find_first() | regular.find_first(); }
    // The queue that is next; to be called after find_first. Stale entries use up no turns.
    Queue& next() {
        if (!preferred.find_first()) return regular;
        if (!alternate_ || !regular.find_first()) return preferred;
        const bool turn = preferred_turns_ <= regular_turns_;
        ++(turn ? preferred_turns_ : regular_turns_);
        return turn ? preferred : regular;
    }
    void note_estimate(std::int64_t estimate) {
        if (estimate >= least_estimate_) return;
        least_estimate_ = estimate;
        if (alternate_) preferred_turns_ -= kBoost;
    }

private:
    static constexpr std::int64_t kBoost = 1000;
    bool alternate_;
    std::int64_t preferred_turns_ = 0;
    std::int64_t regular_turns_ = 0;
    std::int64_t least_estimate_ = 2 * std::int64_t{kInfinite};
};

}  // namespace fsplan
