#include "task/safe_actions.hpp"

namespace fsplan {

namespace {

class SafeActions {
public:
    SafeActions(const GroundTask& task, Budget& watch)
        : task_(task), watch_(watch), variable_(variables_of_facts(task)), final_(task.fact_count(), 1),
          fixed_(task.fact_count(), 0), is_goal_(task.fact_count(), 0), readers_(task.fact_count()),
          achievers_(task.fact_count()) {
        for (ActionId action = 0; action < task.action_count(); ++action) note(action);
        for (const FactId fact : task.rule_body.items) fixed_[fact] = 1;
        for (const FactId fact : task.goal) fixed_[fact] = is_goal_[fact] = 1;
    }

    bool is_safe(ActionId action) const {
        const auto effects = effects_of(action);
        if (has_conditions(action)) return false;
        const bool harmless = std::ranges::all_of(effects, [&](FactId effect) { return is_harmless(action, effect); });
        return harmless && std::ranges::any_of(effects, [&](FactId effect) { return is_worth_it(action, effect); });
    }

private:
    std::span<const FactId> effects_of(ActionId action) const {
        return {task_.effect.data() + task_.first_effect[action], task_.effect.data() + task_.first_effect[action + 1]};
    }
    bool has_conditions(ActionId action) const {
        return task_.effect_condition.begin[task_.first_effect[action]] !=
               task_.effect_condition.begin[task_.first_effect[action + 1]];
    }

    void note(ActionId action) {
        for (const FactId fact : task_.precondition[action]) readers_[fact].push_back(action);
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
            for (const FactId fact : task_.effect_condition[e]) readers_[fact].push_back(action);
            achievers_[task_.effect[e]].push_back(action);
            note_change(action, e);
        }
    }
    // Marks the values that the effect can overwrite as not final.
    void note_change(ActionId action, std::size_t e) {
        const FactId effect = task_.effect[e];
        const auto variable = variable_[effect];
        auto from = value_in(task_.precondition[action], variable);
        if (!from) from = value_in(task_.effect_condition[e], variable);
        const FactId begin = from ? *from : task_.first_fact[variable];
        const FactId end = from ? *from + 1 : task_.first_fact[variable + 1];
        for (FactId value = begin; value < end; ++value)
            if (value != effect) final_[value] = 0;
    }
    std::optional<FactId> value_in(std::span<const FactId> facts, std::uint32_t variable) const {
        const auto found = std::ranges::find_if(facts, [&](FactId fact) { return variable_[fact] == variable; });
        return found == facts.end() ? std::nullopt : std::optional(*found);
    }

    // Whether the effect is final and overwrites no value that is needed (conditions 1, 2 of safe_actions.hpp).
    bool is_harmless(ActionId action, FactId effect) const {
        const auto variable = variable_[effect];
        const auto from = value_in(task_.precondition[action], variable);
        if (from == effect) return true;
        if (!final_[effect]) return false;
        if (from) return is_unneeded(action, *from);
        for (FactId value = task_.first_fact[variable]; value < task_.first_fact[variable + 1]; ++value)
            if (value != effect && !is_unneeded(action, value)) return false;
        return true;
    }
    bool is_unneeded(ActionId action, FactId value) const {
        return !fixed_[value] &&
               std::ranges::all_of(readers_[value], [&](ActionId reader) { return adds_nothing(reader, action); });
    }
    // Whether all effects of one action are among those of the other.
    bool adds_nothing(ActionId one, ActionId other) const {
        watch_.tick();
        const auto effects = effects_of(other);
        return std::ranges::all_of(effects_of(one),
                                   [&](FactId effect) { return std::ranges::find(effects, effect) != effects.end(); });
    }
    // Whether the effect changes the state at a cost that is 0 or unavoidable (conditions 3, 4 of safe_actions.hpp).
    bool is_worth_it(ActionId action, FactId effect) const {
        const auto from = value_in(task_.precondition[action], variable_[effect]);
        return from && *from != effect &&
               (task_.cost[action] == 0 || (is_goal_[effect] && is_cheapest(action, effect)));
    }
    bool is_cheapest(ActionId action, FactId effect) const {
        return std::ranges::all_of(achievers_[effect], [&](ActionId other) {
            return task_.cost[other] >= task_.cost[action] && adds_nothing(other, action);
        });
    }

    const GroundTask& task_;
    Budget& watch_;
    std::vector<std::uint32_t> variable_;  // fact -> its variable
    std::vector<std::uint8_t> final_;      // fact -> whether no action can make it false once it holds
    std::vector<std::uint8_t> fixed_;      // fact -> whether the goal or a rule reads it
    std::vector<std::uint8_t> is_goal_;
    std::vector<std::vector<ActionId>> readers_, achievers_;  // fact -> actions with it as a condition, as an effect
};

}  // namespace

std::vector<std::uint8_t> safe_actions(const GroundTask& task, Budget& watch) {
    const SafeActions actions(task, watch);
    std::vector<std::uint8_t> safe(task.action_count());
    for (ActionId action = 0; action < task.action_count(); ++action) safe[action] = actions.is_safe(action);
    if (std::ranges::count(safe, 1) == 0) safe.clear();
    return safe;
}

}  // namespace fsplan
