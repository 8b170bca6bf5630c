// Pairs of facts that can hold together in a state on the way from a start to the goal (h² in both directions).
//
// Forward: {p, q} is reachable if it holds at the start, or if an action whose precondition is reachable pair by pair sets
// both, or sets p where q is reachable together with each fact of the precondition and the action does not change q's
// variable for certain. Backward, from the states that have all goals, the same with before and after exchanged: {p, q}
// can lead to the goal if it is part of a goal state, or if an action leads from it to what can. The backward pass looks at
// pairs only that the forward pass has reached, the next forward pass at those that can lead to the goal, and so on while
// that excludes actions. Every state on a plan from the start has only pairs that remain: each pass reaches more than the
// states do, never less.
//
// Conditional effects may happen or not: what they set is reachable where their condition is, what they would overwrite
// stays. Derived facts, in conditions and in the goal, are taken to hold with anything. So the result is right for every
// task, if weaker for these.
//
// Example: two trucks share a parking place, in a task whose invariants do not say so. {at(a, place), at(b, place)} is
// reachable only by driving one of them there while the other is there, which drive(…) excludes by free(place).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "task/task.hpp"
#include "work_watch.hpp"

namespace fsplan {

// A symmetric relation of facts; {p, p} is the fact p alone.
class FactPairs {
public:
    using Bits = std::uint64_t;

    explicit FactPairs(std::size_t facts = 0) : width_((facts + 63) / 64), bits_(facts * width_) {}

    bool contains(FactId a, FactId b) const { return (bits_[a * width_ + b / 64] >> (b % 64) & 1U) != 0; }
    void insert(FactId a, FactId b) {
        bits_[a * width_ + b / 64] |= Bits{1} << (b % 64);
        bits_[b * width_ + a / 64] |= Bits{1} << (a % 64);
    }
    std::span<const Bits> row(FactId fact) const { return {bits_.data() + fact * width_, width_}; }
    std::size_t width() const { return width_; }
    // Whether all pairs of these facts, and each of them alone, are in the relation.
    bool contains_all(std::span<const FactId> facts) const;

private:
    std::size_t width_;
    std::vector<Bits> bits_;
};

// What an action does to facts that are not derived.
struct PairAction {
    struct Effect {
        FactId fact;
        std::vector<FactId> condition;  // without what the precondition says
        bool certain;                   // it happens whenever the action is applied
    };
    std::vector<FactId> precondition;
    std::vector<Effect> effects;
    std::vector<std::uint32_t> overwritten;  // variables that have another value for certain, or the effect's
    std::vector<std::uint32_t> touched;      // variables that may change
    std::vector<FactId> after;               // what holds afterwards for certain
};
std::vector<PairAction> pair_actions(const GroundTask& task);

struct AlivePairs {
    FactPairs pairs;
    bool solvable = true;  // false: there is no plan, proven
};

// Nothing if it takes more work, in words of 64 facts, than that. `start` has one value per variable.
std::optional<AlivePairs> find_alive_pairs(const GroundTask& task, std::span<const std::int32_t> start, std::size_t work,
                                           WorkWatch& watch);

}  // namespace fsplan
