// The changes that actions make in a state: the facts that they replace.
#pragma once

#include "policies/relational/hashing.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

class ReplacedFacts {
public:
    // The structure must outlive the object.
    explicit ReplacedFacts(const Structure& structure)
        : structure_(structure), task_(structure.task()), has_conditions_(task_.has_conditional_effects()),
          fact_of_(task_.variable_count()) {
        variable_of_effect_.reserve(task_.effect.size());
        read_new_actions();
    }
    void read_new_actions() {
        for (std::size_t effect = variable_of_effect_.size(); effect < task_.effect.size(); ++effect)
            variable_of_effect_.push_back(structure_.variable_of_fact(task_.effect[effect]));
        kind_.resize(task_.action_count());
    }

    void set_state(std::span<const std::int32_t> values) {
        for (std::size_t variable = 0; variable < values.size(); ++variable)
            fact_of_[variable] = task_.first_fact[variable] + static_cast<FactId>(values[variable]);
    }

    // Calls change(before, after) for every fact that the action replaces, if concerns(variable).
    template <class Concerns, class Change>
    void list(ActionId action, Concerns concerns, Change change) const {
        for (auto effect = task_.first_effect[action]; effect < task_.first_effect[action + 1]; ++effect) {
            const std::uint32_t variable = variable_of_effect_[effect];
            if (!concerns(variable)) continue;
            const FactId after = task_.effect[effect], before = fact_of_[variable];
            if (before != after && (!has_conditions_ || happens(effect))) change(before, after);
        }
    }
    template <class Change>
    void list(ActionId action, Change change) const {
        list(action, [](std::uint32_t) { return true; }, change);
    }
    // Calls effect(after) for every effect that happens, in order; the last one on a variable wins.
    template <class Effect>
    void list_effects(ActionId action, Effect effect) const {
        for (auto number = task_.first_effect[action]; number < task_.first_effect[action + 1]; ++number)
            if (!has_conditions_ || happens(number)) effect(task_.effect[number]);
    }

    // Key of the changes of this action: in states with the same key the changes are the same. A key is never 0.
    Hash key(ActionId action) { return is_fixed(action) ? 1 : key_of_varying(action); }

private:
    enum class Kind : std::uint8_t { unknown, fixed, varying };

    // Whether the effects are unconditional and set only variables of the precondition; then the changes are the same
    // in every state in which the action is applicable.
    bool is_fixed(ActionId action) {
        if (kind_[action] == Kind::unknown) kind_[action] = kind_of(action);
        return kind_[action] == Kind::fixed;
    }
    Kind kind_of(ActionId action) const {
        const auto precondition = task_.precondition[action];
        for (auto effect = task_.first_effect[action]; effect < task_.first_effect[action + 1]; ++effect) {
            const auto is_before = [&](FactId fact) {
                return structure_.variable_of_fact(fact) == variable_of_effect_[effect];
            };
            if (!task_.effect_condition[effect].empty() || std::ranges::none_of(precondition, is_before))
                return Kind::varying;
        }
        return Kind::fixed;
    }
    Hash key_of_varying(ActionId action) const {
        Hash key = 2;
        list(action, [&](FactId before, FactId after) { key = (key + join(before, after)) * kOdd; });
        return key;
    }
    bool happens(std::size_t effect) const {
        const auto condition = task_.effect_condition[effect];
        return std::ranges::all_of(condition,
                                   [&](FactId fact) { return fact_of_[structure_.variable_of_fact(fact)] == fact; });
    }

    const Structure& structure_;
    const GroundTask& task_;
    bool has_conditions_;
    std::vector<std::uint32_t> variable_of_effect_;
    std::vector<FactId> fact_of_;  // per variable
    std::vector<Kind> kind_;       // per action
};

}  // namespace fsplan::relational
