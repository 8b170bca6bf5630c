// Pairs of facts that can hold together in a state on a plan (h² in both directions).
//
// Forward: {p, q} is reachable if both hold initially, or if an action whose precondition is reachable pair by pair
// sets both, or sets p while q is reachable together with each fact of the precondition and the action need not change
// q's variable. Backward, from the goal states, the same with before and after exchanged: {p, q} can lead to the goal
// if it is part of a goal state, or if an action leads from it to such a pair. The backward pass considers only pairs
// that the forward pass has reached, the next forward pass only those that can lead to the goal, and so on as long as
// this excludes actions. Each pass over-approximates the reachable pairs, so the pairs of all states on plans remain.
//
// A conditional effect may happen or not: its fact is reachable if its condition is, and the overwritten value remains
// possible. Derived facts in conditions and goals count as true. So the result is correct for every task, but weaker
// for such tasks.
//
// Example: two trucks share a parking place, in a task whose invariants do not say so. {at(a, place), at(b, place)} is
// reachable only by driving one of them there while the other is there, which drive(…) excludes by free(place).
#pragma once

#include "base/budget.hpp"
#include "task/task.hpp"

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

// Conditions and effects of an action without derived facts.
struct PairAction {
    struct Effect {
        FactId fact;
        std::vector<FactId> condition;  // without facts of the precondition
        bool certain;                   // whether it happens whenever the action is applied
    };
    std::vector<FactId> precondition;
    std::vector<Effect> effects;
    std::vector<std::uint32_t> overwritten;  // variables that are certain to be set
    std::vector<std::uint32_t> touched;      // variables that may change
    std::vector<FactId> after;               // facts that are certain to hold afterwards
};
std::vector<PairAction> pair_actions(const GroundTask& task);

struct AlivePairs {
    FactPairs pairs;
    bool solvable = true;  // false: it is proven that there is no plan
};

// `start` has one value per variable. Empty if there are too many facts, or if not even one pass is completed within
// `work` operations on words of 64 facts.
std::optional<AlivePairs> find_alive_pairs(const GroundTask& task, std::span<const std::int32_t> start,
                                           std::size_t work, Budget& watch);

}  // namespace fsplan
