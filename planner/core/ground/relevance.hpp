// Backward relevance: what the goal depends on through conditions of effects and bodies of rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/reachability.hpp"

namespace fsplan {

inline constexpr std::uint32_t kIgnored = ~std::uint32_t{0};

// Over atoms or over variables: Task is the instantiated or the ground task, whose lists have the same names. node_of
// gives the atom of a literal or the variable of a fact; node_of_effect and node_of_rule what an effect or a rule,
// given by number, changes, or kIgnored.
template <class Task, class NodeOf, class NodeOfEffect, class NodeOfRule>
class Relevance {
public:
    Relevance(const Task& task, std::size_t nodes, NodeOf node_of, NodeOfEffect node_of_effect, NodeOfRule node_of_rule)
        : task_(task),
          node_of_(node_of),
          relevant_(nodes) {
        Rows effects, rules;
        for (std::uint32_t a = 0; a < task.cost.size(); ++a) action_of_.resize(task.first_effect[a + 1], a);
        for (std::size_t e = 0; e < task.effect.size(); ++e) add_row(effects, node_of_effect(e));
        for (std::size_t r = 0; r < task.rule_head.size(); ++r) add_row(rules, node_of_rule(r));
        effects_on_ = transpose(effects, nodes);
        rules_on_ = transpose(rules, nodes);
    }

    std::vector<std::uint8_t> run() {
        need(task_.goal);
        std::vector<std::uint8_t> seen(task_.cost.size());
        while (!queue_.empty()) {
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
    static void add_row(Rows& rows, std::uint32_t node) {
        if (node != kIgnored) rows.items.push_back(node);
        rows.end_row();
    }

    void need(std::span<const std::uint32_t> items) {
        for (auto item : items) {
            auto node = node_of_(item);
            if (!relevant_[node]) queue_.push_back(node);
            relevant_[node] = 1;
        }
    }

    const Task& task_;
    NodeOf node_of_;
    std::vector<std::uint32_t> action_of_;
    Rows effects_on_;
    Rows rules_on_;
    std::vector<std::uint8_t> relevant_;
    std::vector<std::uint32_t> queue_;
};

}  // namespace fsplan
