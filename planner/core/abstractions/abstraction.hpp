// An abstraction of a ground task: abstract states, the transitions between them, and goal distances under any costs.
// Two kinds are built: projections (projection.hpp) and Cartesian abstractions (cartesian.hpp).
//
// Actions that have the same transitions form a group: they differ in costs only, so a group costs as much as its
// cheapest member. Every transition of the task is one of the abstraction, so distances are admissible.
//
// Saturated costs. Let h be the goal distances under some costs. They stay the same if each action costs only
//     saturated(a) = max over transitions s → s' by a of h(s) − h(s'),
// so other abstractions may use the rest of its cost, and the sum of all their values is admissible. Example: an action
// of cost 5 decreases the goal distance by at most 2 in every state. Then 2 of the 5 are used and 3 remain. An action
// that increases the goal distance in every state has a negative saturated cost, and more than its cost remains. For a
// plan from s with counts x of its actions, Σ saturated(a) · x(a) >= h(s): a row of a linear program.
#pragma once

#include "base/budget.hpp"
#include "contract/graph.hpp"
#include "task/task.hpp"

namespace fsplan {

inline constexpr FactId kNoFact = 0xFFFFFFFF;

using VariablePattern = std::vector<std::uint32_t>;  // variables, ascending, none of them derived

// Maps states of the task to abstract states 0, 1, …: a binary decision tree that tests one variable per node.
// Initially every state is mapped to abstract state 0.
class SplitTree {
public:
    bool empty() const { return nodes_.empty(); }
    // Splits abstract state `state`: its states whose value of the variable is wanted are mapped to `other` from now
    // on.
    void split(std::uint32_t state, std::uint32_t variable, std::span<const std::uint8_t> wanted, std::uint32_t other);
    std::size_t find(std::span<const std::int32_t> values) const {
        return find([&](std::uint32_t variable) { return static_cast<std::size_t>(values[variable]); });
    }
    template <class ValueOf>
        requires std::is_invocable_v<ValueOf, std::uint32_t>
    std::size_t find(ValueOf value_of) const {
        if (nodes_.empty()) return 0;
        std::int32_t at = 0;
        while (at >= 0) at = next(at, value_of(variable(at)));
        return static_cast<std::size_t>(-1 - at);
    }

    // Node 0 is the root.
    std::size_t node_count() const { return nodes_.size(); }
    std::uint32_t variable(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)].variable; }
    // The next node, or -1 - s for abstract state s.
    std::int32_t next(std::int32_t node, std::size_t value) const {
        const Node& at = nodes_[static_cast<std::size_t>(node)];
        return at.next[sides_[at.sides + value]];
    }

private:
    struct Node {
        std::uint32_t variable, sides;  // side of value v: sides_[sides + v], 0 or 1
        std::int32_t next[2];           // a node, or -1 - s for abstract state s
    };
    std::vector<Node> nodes_;
    std::vector<std::uint8_t> sides_;
    struct Place {
        std::uint32_t node, side;
    };
    std::vector<Place> leaf_;  // abstract state -> its place in the tree
};

// Arguments of a Cartesian abstraction.
struct AbstractionParts {
    struct Transition {
        std::uint32_t from, to;
        ActionId action;
    };
    std::size_t size = 1;
    SplitTree splits;
    std::vector<std::uint32_t> goals;
    std::vector<Transition> transitions;
    std::vector<ActionId> loops;  // actions with a self-loop, in any order, possibly repeated
};

class Abstraction {
public:
    Abstraction() = default;
    explicit Abstraction(AbstractionParts parts);

    std::size_t size() const { return size_; }  // abstract states
    // Work of building it, and of each pass over it: the number of actions, transitions and states.
    std::size_t work() const { return work_; }
    // Variables of a projection; empty for a Cartesian abstraction, which has a split tree instead.
    const VariablePattern& pattern() const { return pattern_; }
    const SplitTree& splits() const { return splits_; }

    // Index of the abstract state; if only reachable ones are stored, it must be one of them.
    std::size_t index(std::span<const std::int32_t> values) const;

    // Goal distances under these action costs (each at least 0); kDeadEnd where no goal is reachable.
    void distances(std::span<const Cost> costs, std::vector<Cost>& h, Budget& watch);
    // Saturated costs of the actions with a transition between different abstract states; all others have saturated
    // cost 0.
    struct Saturated {
        ActionId action;
        Cost cost;
    };
    void saturate(std::span<const Cost> h, std::vector<Saturated>& costs, Budget& watch) const;

    // Distances under costs of any sign for which some function h has h(s) - h(s') <= cost for all transitions, so that
    // no cycle is negative. kNoPath where no goal is reachable.
    static constexpr std::int64_t kNoPath = INT64_MAX;
    std::vector<std::int64_t> signed_distances(std::span<const std::int64_t> costs, Budget& watch) const;
    // The abstract states of a projection by index, each as Σ value · stride.
    std::vector<std::uint32_t> numbers() const;

private:
    friend class ProjectionBuilder;
    struct Predecessor {
        std::uint32_t state, group;
    };

    VariablePattern pattern_;
    std::vector<std::uint32_t> stride_;
    SplitTree splits_;
    // If only reachable states are stored: number -> index.
    std::unordered_map<std::uint32_t, std::uint32_t> reachable_;
    std::size_t size_ = 1;
    std::size_t work_ = 0;
    std::vector<std::uint32_t> goals_;    // abstract states
    Rows members_;                        // group -> positions in actions_
    std::vector<ActionId> actions_;       // ascending
    std::vector<std::uint8_t> may_stay_;  // per position in actions_: whether the action has a self-loop
    std::vector<std::uint32_t> predecessors_begin_;
    std::vector<Predecessor> predecessors_;  // abstract state -> transitions into it
    std::vector<Cost> group_cost_;           // group -> least cost of its members, set by distances()
    std::vector<std::pair<Cost, std::uint32_t>> open_;
};

}  // namespace fsplan
