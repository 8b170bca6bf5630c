// DPS, dynamic potential search (Gilon, Felner and Stern, SoCS 2016), expands a node of greatest potential
// (limit - g) / h: it is expected to lead to a plan within the limit with the least effort. The limit is w * bound,
// that is, w times the least f.
//
// Example: limit 30, a node with g = 10 and h = 15, and one with g = 24 and h = 5. The first has 20 left for an
// estimate of 15, potential 1.33; the second 6 for 5, potential 1.2: weighted A* (w = 1.5) would prefer the second,
// 31.5 against 32.5.
//
// A node has potential 1 or more exactly if f <= limit. The node of least f is one of these, so every expanded node has
// f <= limit, and a goal among them proves w. When the limit rises all potentials change, but they are equal for equal
// (g, h): only distinct pairs are sorted again. With large costs there are many pairs and many limits. So the pairs are
// sorted again only when the limit has risen by 1/256 of itself, has dropped, or no node is within the limit of the
// last sorting. Until then nodes are ordered by a smaller limit, which does not affect the bound.
#include "search/loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

struct PathAndEstimate {
    Cost g;
    Cost h;

    bool operator==(const PathAndEstimate&) const = default;
    std::int64_t f() const { return std::int64_t{g} + h; }
};

inline std::uint64_t hash_value(const PathAndEstimate& pair) {
    return mix(static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.g)) << 32 |
               static_cast<std::uint32_t>(pair.h));
}

// Open nodes by falling potential, then rising h and g, then newest first.
class PotentialQueue {
public:
    explicit PotentialQueue(Run& run) : run_(run), entries_(true) {}

    void push(StateId id) {
        const Node& node = run_.space[id];
        const std::uint32_t number = number_of({node.g, node.h()});
        if (lists_[number] == kEmptyList) heap_.push(ranked(number));
        entries_.push(lists_[number], {id, node.g});
    }
    void set_limit(Cost limit) {
        limit_ = limit;
        if (limit < ordered_for_ || limit > ordered_for_ + ordered_for_ / 256) put_in_order();
    }
    // Finds the first node with f <= limit.
    bool find_first() {
        drop_dead();
        if (!heap_.empty() && heap_.top().pair.f() > ordered_for_ && ordered_for_ != limit_) put_in_order();
        return !heap_.empty() && heap_.top().pair.f() <= ordered_for_;
    }
    StateId pop() {
        const StateId id = entries_.pop(lists_[heap_.top().number]).id;
        drop_empty();
        return id;
    }

private:
    struct Ranked {
        double potential;
        PathAndEstimate pair;
        std::uint32_t number;
    };
    struct Before {
        bool operator()(const Ranked& left, const Ranked& right) const {
            if (left.potential != right.potential) return left.potential > right.potential;
            return left.pair.h != right.pair.h ? left.pair.h < right.pair.h : left.pair.g < right.pair.g;
        }
    };

    std::uint32_t number_of(const PathAndEstimate& pair) {
        const Interned found = index_.intern(hash_value(pair), [&](StateId id) { return pairs_[id] == pair; });
        if (found.is_new) {
            pairs_.push_back(pair);
            lists_.push_back(kEmptyList);
        }
        return found.id;
    }
    Ranked ranked(std::uint32_t number) const { return {potential(pairs_[number]), pairs_[number], number}; }
    double potential(const PathAndEstimate& pair) const {
        constexpr double kUnlimited = std::numeric_limits<double>::infinity();
        if (pair.h == 0) return pair.g <= ordered_for_ ? kUnlimited : -kUnlimited;
        return (static_cast<double>(ordered_for_) - pair.g) / pair.h;
    }
    void put_in_order() {
        ordered_for_ = limit_;
        heap_.clear();
        for (std::uint32_t number = 0; number < lists_.size(); ++number)
            if (lists_[number] != kEmptyList) heap_.push(ranked(number));
    }
    void drop_dead() {
        while (!heap_.empty() && !is_live(entries_.top(lists_[heap_.top().number]))) pop();
    }
    void drop_empty() {
        if (lists_[heap_.top().number] == kEmptyList) heap_.pop();
    }
    bool is_live(const Entry& entry) const {
        const Node& node = run_.space[entry.id];
        return node.is_open() && node.g == entry.g && !run_.hopeless(node);
    }

    Run& run_;
    HashIndex index_;
    FlatArray<PathAndEstimate> pairs_;
    FlatArray<EntryList> lists_;  // pair (g, h) -> its open nodes
    EntryLists entries_;
    QuaternaryHeap<Ranked, Before> heap_;  // the pairs (g, h) that have open nodes
    Cost limit_ = 0;
    Cost ordered_for_ = 0;
};

class DynamicPotential : public Loop<DynamicPotential> {
    using Base = Loop<DynamicPotential>;
    friend Base;

public:
    explicit DynamicPotential(Run& run) : Base(run), open_(run) {}

private:
    static constexpr bool kCountsOpen = true;

    void enter(StateId id) { open_.push(id); }
    Cost least_f() { return this->counts_.least(); }
    void limit_changed(Cost limit) { open_.set_limit(limit); }
    bool take_turn() { return this->expand_best(open_); }

    PotentialQueue open_;
};

}  // namespace

const SearchInfo dps_search{.name = "dps",
                            .summary = "Dynamic potential search: the greatest (w·f_min - g) / h first.",
                            .reads = "w reopen uncertified anytime",
                            .proves = "w",
                            .defaults = "",
                            .make = [](Run& run) { return steps_of<DynamicPotential>(run); }};

}  // namespace fsplan
