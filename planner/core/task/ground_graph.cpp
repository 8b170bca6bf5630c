#include "task/ground_graph.hpp"

namespace fsplan {

GroundGraph::GroundGraph(const GroundTask& task, Budget& watch)
    : task_(task), layout_(task), generator_(task, layout_, watch) {
    if (task.has_derived()) derived_.emplace(task, layout_);
    for (ActionId a = 0; a < task.action_count(); ++a) {
        watch.tick();
        add_effects(a);
    }
    goal_ = layout_.tests(task, task.goal);
    successor_.resize(layout_.stored_words);
    full_.resize(layout_.words);
    expanded_.resize(layout_.words);
    start_.resize(layout_.stored_words);
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        if (task.layer[v] < 0) layout_.field[v].set(start_.data(), static_cast<Word>(task.initial[v]));
    }
}

// The last effect on a variable wins. So the unconditional effects are merged into one change per word, which is
// applied first, except for those that follow a conditional effect on the same variable.
void GroundGraph::add_effects(ActionId action) {
    std::map<std::uint32_t, FactId> always;  // variable -> its effect that is merged
    std::set<std::uint32_t> conditional;     // variables with a conditional effect so far
    for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
        auto variable = layout_.variable_of[task_.effect[e]];
        if (task_.effect_condition[e].empty() && !conditional.contains(variable)) {
            always[variable] = task_.effect[e];
        } else {
            conditional.insert(variable);
            add_conditional(e);
        }
    }
    std::vector<FactId> merged;
    for (auto [variable, effect] : always) merged.push_back(effect);
    for (const auto& [word, mask, value] : layout_.tests(task_, merged)) changes_.push_back({word, ~mask, value});
    changes_begin_.push_back(static_cast<std::uint32_t>(changes_.size()));
    conditional_begin_.push_back(static_cast<std::uint32_t>(conditional_.size()));
}

void GroundGraph::add_conditional(std::size_t effect) {
    for (const auto& [word, mask, value] : layout_.tests(task_, {&task_.effect[effect], 1})) {
        auto tests = layout_.tests(task_, task_.effect_condition[effect]);
        auto begin = static_cast<std::uint32_t>(condition_tests_.size());
        condition_tests_.insert(condition_tests_.end(), tests.begin(), tests.end());
        auto end = static_cast<std::uint32_t>(condition_tests_.size());
        conditional_.push_back({begin, end, {word, ~mask, value}});
    }
}

GroundGraph::State GroundGraph::successor(State state, ActionId action) {
    const Word* before = full(state);
    for (const FactId fact : task_.precondition[action]) {
        const auto variable = layout_.variable_of[fact];
        if (layout_.field[variable].get(before) != fact - task_.first_fact[variable]) return nullptr;
    }
    apply(action, before);
    return successor_.data();
}

void GroundGraph::values(State state, std::span<std::int32_t> out) {
    const Word* words = full(state);
    for (std::size_t v = 0; v < task_.variable_count(); ++v) {
        out[v] = static_cast<std::int32_t>(layout_.field[v].get(words));
    }
}

}  // namespace fsplan
