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
#include "containers/sorted.hpp"
#include "contract/graph.hpp"
#include "task/task.hpp"

namespace fsplan {

inline constexpr FactId kNoFact = 0xFFFFFFFF;

using VariablePattern = std::vector<std::uint32_t>;  // variables, ascending, none of them derived

inline constexpr Cost kLowest = std::numeric_limits<Cost>::min();

// Maps states of the task to abstract states 0, 1, …: a binary decision tree that tests one variable per node.
// Initially every state is mapped to abstract state 0.
class SplitTree {
public:
    bool empty() const { return nodes_.empty(); }
    // Splits abstract state `state`: those of its states whose value of the variable is marked in `wanted` are mapped
    // to `other` from now on.
    void split(std::uint32_t state, std::uint32_t variable, std::span<const std::uint8_t> wanted, std::uint32_t other) {
        const auto node = static_cast<std::uint32_t>(nodes_.size());
        if (node > 0) nodes_[leaf_[state].node].next[leaf_[state].side] = static_cast<std::int32_t>(node);
        leaf_.resize(std::max<std::size_t>(leaf_.size(), std::max(state, other) + std::size_t{1}));
        leaf_[state] = {node, 0};
        leaf_[other] = {node, 1};
        const auto sides = static_cast<std::uint32_t>(sides_.size());
        nodes_.push_back(
            {variable, sides, {-1 - static_cast<std::int32_t>(state), -1 - static_cast<std::int32_t>(other)}});
        sides_.insert(sides_.end(), wanted.begin(), wanted.end());
    }
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
    explicit Abstraction(AbstractionParts parts)
        : splits_(std::move(parts.splits)), size_(parts.size), goals_(std::move(parts.goals)),
          predecessors_begin_(parts.size + 2), predecessors_(parts.transitions.size()) {
        for (const auto& each : parts.transitions) actions_.push_back(each.action);
        sort_unique(actions_);
        sort_unique(parts.loops);
        for (std::uint32_t position = 0; position < actions_.size(); ++position) {
            members_.items.push_back(position);
            members_.end_row();
            may_stay_.push_back(std::ranges::binary_search(parts.loops, actions_[position]));
        }
        for (const auto& each : parts.transitions) ++predecessors_begin_[each.to + 2];
        for (std::size_t s = 2; s < predecessors_begin_.size(); ++s)
            predecessors_begin_[s] += predecessors_begin_[s - 1];
        for (const auto& each : parts.transitions) {
            const auto group = std::ranges::lower_bound(actions_, each.action) - actions_.begin();
            predecessors_[predecessors_begin_[each.to + 1]++] = {each.from, static_cast<std::uint32_t>(group)};
        }
        predecessors_begin_.pop_back();
        work_ = size_ + actions_.size() + predecessors_.size();
    }

    std::size_t size() const { return size_; }  // number of abstract states
    // Work of building it, and of each pass over it: the number of actions, transitions and states.
    std::size_t work() const { return work_; }
    // Variables of a projection; empty for a Cartesian abstraction, which has a split tree instead.
    const VariablePattern& pattern() const { return pattern_; }
    const SplitTree& splits() const { return splits_; }

    // Index of the abstract state; if only reachable ones are stored, it must be one of them.
    std::size_t index(std::span<const std::int32_t> values) const {
        if (!splits_.empty()) return splits_.find(values);
        std::size_t index = 0;
        for (std::size_t i = 0; i < pattern_.size(); ++i)
            index += static_cast<std::size_t>(values[pattern_[i]]) * stride_[i];
        return reachable_.empty() ? index : reachable_.at(static_cast<std::uint32_t>(index));
    }

    // Goal distances under these action costs (each at least 0); kDeadEnd if no goal is reachable.
    void distances(std::span<const Cost> costs, std::vector<Cost>& h, Budget& watch) {
        group_cost_.assign(members_.size(), kDeadEnd);
        for (std::size_t group = 0; group < members_.size(); ++group) {
            for (auto position : members_[group])
                group_cost_[group] = std::min(group_cost_[group], costs[actions_[position]]);
        }
        h.assign(size_, kDeadEnd);
        open_.clear();
        for (auto goal : goals_) {
            h[goal] = 0;
            open_.emplace_back(0, goal);
        }
        const std::greater<> later;
        while (!open_.empty()) {
            std::pop_heap(open_.begin(), open_.end(), later);
            const auto [cost, state] = open_.back();
            open_.pop_back();
            if (h[state] != cost) continue;
            watch.tick();
            for (auto p = predecessors_begin_[state]; p < predecessors_begin_[state + 1]; ++p) {
                const auto [from, group] = predecessors_[p];
                // Distances are capped below kDeadEnd, which keeps them admissible.
                const auto sum = std::min<std::int64_t>(std::int64_t{cost} + group_cost_[group], kDeadEnd / 4);
                if (sum >= h[from]) continue;
                h[from] = static_cast<Cost>(sum);
                open_.emplace_back(h[from], from);
                std::push_heap(open_.begin(), open_.end(), later);
            }
        }
    }
    // Saturated costs of the actions with a transition between different abstract states; all others have saturated
    // cost 0.
    struct Saturated {
        ActionId action;
        Cost cost;
    };
    void saturate(std::span<const Cost> h, std::vector<Saturated>& costs, Budget& watch) const {
        std::vector<Cost> of_group(members_.size(), kLowest);
        for (std::uint32_t state = 0; state < size_; ++state) {
            if (h[state] == kDeadEnd) continue;  // no plan visits a dead end
            watch.tick();
            for (auto p = predecessors_begin_[state]; p < predecessors_begin_[state + 1]; ++p) {
                const auto [from, group] = predecessors_[p];
                of_group[group] = std::max(of_group[group], h[from] - h[state]);
            }
        }
        std::vector<Cost> of_action(actions_.size(), kLowest);
        for (std::size_t position = 0; position < actions_.size(); ++position) {
            if (may_stay_[position]) of_action[position] = 0;
        }
        for (std::size_t group = 0; group < members_.size(); ++group) {
            for (auto position : members_[group]) of_action[position] = std::max(of_action[position], of_group[group]);
        }
        costs.clear();
        for (std::size_t position = 0; position < actions_.size(); ++position) {
            if (of_action[position] != 0 && of_action[position] != kLowest)
                costs.push_back({actions_[position], of_action[position]});
        }
    }

    // Goal distances under costs of any sign; kNoPath if no goal is reachable. No cycle may have a negative cost, which
    // is guaranteed if some function h has h(s) - h(s') <= cost for all transitions.
    static constexpr std::int64_t kNoPath = INT64_MAX;
    std::vector<std::int64_t> signed_distances(std::span<const std::int64_t> costs, Budget& watch) const {
        std::vector<std::int64_t> group_cost(members_.size(), kNoPath);
        for (std::size_t group = 0; group < members_.size(); ++group) {
            for (auto position : members_[group])
                group_cost[group] = std::min(group_cost[group], costs[actions_[position]]);
        }
        std::vector<std::int64_t> h(size_, kNoPath);
        std::vector<std::uint8_t> is_waiting(size_);
        std::deque<std::uint32_t> queue(goals_.begin(), goals_.end());
        for (auto goal : goals_) {
            h[goal] = 0;
            is_waiting[goal] = 1;
        }
        for (; !queue.empty(); queue.pop_front()) {
            const auto state = queue.front();
            is_waiting[state] = 0;
            for (auto p = predecessors_begin_[state]; p < predecessors_begin_[state + 1]; ++p) {
                watch.tick();
                const auto [from, group] = predecessors_[p];
                if (h[from] <= h[state] + group_cost[group]) continue;
                h[from] = h[state] + group_cost[group];
                if (!is_waiting[from]) queue.push_back(from);
                is_waiting[from] = 1;
            }
        }
        return h;
    }
    // The abstract states of a projection by index, each as Σ value · stride.
    std::vector<std::uint32_t> numbers() const {
        std::vector<std::uint32_t> found(size_);
        std::iota(found.begin(), found.end(), 0U);
        for (auto [number, place] : reachable_) found[place] = number;
        return found;
    }

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
