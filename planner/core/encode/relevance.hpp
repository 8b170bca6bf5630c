// Backward relevance: finds the nodes (atoms or variables) on which the goal depends, directly or through effects and rules.
#pragma once

#include "task/reachability.hpp"

namespace fsplan {

inline constexpr std::uint32_t kIgnored = ~std::uint32_t{0};

// Nodes are atoms if Task is the instantiated task, variables if it is the ground task; both have lists of the same
// names. node_of returns the node of a literal or fact; node_of_effect and node_of_rule return the node that an effect
// or rule changes, or kIgnored.
template <class Task, class NodeOf, class NodeOfEffect, class NodeOfRule>
class Relevance {
public:
    Relevance(const Task& task, std::size_t nodes, NodeOf node_of, NodeOfEffect node_of_effect, NodeOfRule node_of_rule)
        : task_(task), node_of_(node_of), relevant_(nodes), missing_(nodes) {
        action_of_.reserve(task.effect.size());
        for (std::uint32_t a = 0; a < task.cost.size(); ++a) action_of_.resize(task.first_effect[a + 1], a);
        effects_on_ = index(task.effect.size(), nodes, node_of_effect);
        rules_on_ = index(task.rule_head.size(), nodes, node_of_rule);
    }

    std::vector<std::uint8_t> run() {
        need(task_.goal);
        std::vector<std::uint8_t> seen(task_.cost.size());
        while (!queue_.empty() && missing_ > 0) {
            auto node = queue_.back();
            queue_.pop_back();
            for (auto effect : effects_on_[node]) {
                need(task_.effect_condition[effect]);
                auto action = action_of_[effect];
                if (!seen[action]) need(task_.precondition[action]);
                seen[action] = 1;
            }
            for (auto rule : rules_on_[node]) need(task_.rule_body[rule]);
        }
        return std::move(relevant_);
    }

private:
    template <class NodeOfItem>
    static Rows index(std::size_t items, std::size_t nodes, NodeOfItem node_of_item) {
        Rows result;
        // A counting sort: while items are entered, begin[node + 1] is the index where the node's next item goes.
        result.begin = std::vector<std::uint32_t>(nodes + 2);
        for (std::size_t i = 0; i < items; ++i)
            if (auto node = node_of_item(i); node != kIgnored) ++result.begin[node + 2];
        for (std::size_t node = 0; node < nodes; ++node) result.begin[node + 2] += result.begin[node + 1];
        result.items.resize(result.begin[nodes + 1]);
        for (std::size_t i = 0; i < items; ++i)
            if (auto node = node_of_item(i); node != kIgnored)
                result.items[result.begin[node + 1]++] = static_cast<std::uint32_t>(i);
        result.begin.pop_back();
        return result;
    }

    void need(std::span<const std::uint32_t> items) {
        for (auto item : items) {
            auto node = node_of_(item);
            if (relevant_[node]) continue;
            relevant_[node] = 1;
            queue_.push_back(node);
            --missing_;
        }
    }

    const Task& task_;
    NodeOf node_of_;
    std::vector<std::uint32_t> action_of_;
    Rows effects_on_;
    Rows rules_on_;
    std::vector<std::uint8_t> relevant_;
    std::size_t missing_;
    std::vector<std::uint32_t> queue_;
};

}  // namespace fsplan
