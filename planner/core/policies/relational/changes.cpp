#include "policies/relational/changes.hpp"

#include <algorithm>

namespace fsplan::relational {

Changes::Changes(const Structure& structure)
    : structure_(structure), task_(structure.task()), has_conditions_(task_.has_conditional_effects()),
      fact_of_(task_.variable_count()), kind_(task_.action_count()) {
    variable_of_effect_.reserve(task_.effect.size());
    for (const FactId fact : task_.effect) variable_of_effect_.push_back(structure.variable_of_fact(fact));
}

void Changes::set_state(std::span<const std::int32_t> values) {
    for (std::size_t variable = 0; variable < values.size(); ++variable)
        fact_of_[variable] = task_.first_fact[variable] + static_cast<FactId>(values[variable]);
}

Changes::Kind Changes::kind_of(ActionId action) const {
    const auto precondition = task_.precondition[action];
    for (auto effect = task_.first_effect[action]; effect < task_.first_effect[action + 1]; ++effect) {
        const auto is_before = [&](FactId fact) {
            return structure_.variable_of_fact(fact) == variable_of_effect_[effect];
        };
        if (!task_.effect_condition[effect].empty() ||
            std::none_of(precondition.begin(), precondition.end(), is_before))
            return Kind::varying;
    }
    return Kind::fixed;
}

Hash Changes::key_of_varying(ActionId action) const {
    Hash key = 2;
    list(action, [&](FactId before, FactId after) { key = (key + join(before, after)) * kOdd; });
    return key;
}

bool Changes::happens(std::size_t effect) const {
    const auto condition = task_.effect_condition[effect];
    return std::all_of(condition.begin(), condition.end(),
                       [&](FactId fact) { return fact_of_[structure_.variable_of_fact(fact)] == fact; });
}

}  // namespace fsplan::relational
