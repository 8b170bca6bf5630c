#include "bounds/state_equation.hpp"

namespace fsplan {

namespace {

constexpr FactId kUnknown = 0xFFFFFFFF;

// A possible change of a variable by an action: the values before and after.
struct Outcome {
    FactId before;  // kUnknown if it may be any value
    FactId after;
};

class ChangeFinder {
public:
    explicit ChangeFinder(const GroundTask& task)
        : task_(task), variable_(variables_of_facts(task)), required_(task.variable_count(), kUnknown) {}

    ActionChanges find(Budget& watch) {
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            watch.tick();
            add_action(action);
        }
        return std::move(changes_);
    }

private:
    void add_action(ActionId action) {
        for (auto fact : task_.precondition[action]) required_[variable_[fact]] = fact;
        variables_.clear();
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
            variables_.push_back(variable_[task_.effect[e]]);
        sort_unique(variables_);
        for (auto variable : variables_) add_variable(action, variable);
        for (auto fact : task_.precondition[action]) required_[variable_[fact]] = kUnknown;
        changes_.begin.push_back(static_cast<std::uint32_t>(changes_.items.size()));
    }

    // Later effects on a variable override earlier ones, so effects are read backwards until one is certain to happen.
    void add_variable(ActionId action, std::uint32_t variable) {
        outcomes_.clear();
        bool may_stay = true;
        for (auto e = task_.first_effect[action + 1]; may_stay && e-- > task_.first_effect[action];) {
            if (variable_[task_.effect[e]] != variable || is_impossible(e)) continue;
            outcomes_.push_back({value_before(e, variable), task_.effect[e]});
            may_stay = !is_certain(e);
        }
        add_changes(required_[variable], may_stay);
    }

    void add_changes(FactId required, bool may_stay) {
        std::ranges::sort(outcomes_, [](auto& a, auto& b) { return a.after < b.after; });
        FactId last = kUnknown;
        for (const auto& outcome : outcomes_) {
            if (outcome.before == outcome.after || outcome.after == last) continue;
            changes_.items.push_back({last = outcome.after, 1});
        }
        auto leaves = [&](const Outcome& outcome) { return outcome.after != required; };
        if (required != kUnknown && !may_stay && std::ranges::all_of(outcomes_, leaves))
            changes_.items.push_back({required, -1});
    }

    bool is_impossible(std::size_t effect) const {
        auto condition = task_.effect_condition[effect];
        return std::ranges::any_of(condition, [&](auto fact) {
            auto known = required_[variable_[fact]];
            return known != kUnknown && known != fact;
        });
    }
    bool is_certain(std::size_t effect) const {
        auto condition = task_.effect_condition[effect];
        return std::ranges::all_of(condition, [&](auto fact) { return required_[variable_[fact]] == fact; });
    }
    FactId value_before(std::size_t effect, std::uint32_t variable) const {
        if (required_[variable] != kUnknown) return required_[variable];
        for (auto fact : task_.effect_condition[effect]) {
            if (variable_[fact] == variable) return fact;
        }
        return kUnknown;
    }

    const GroundTask& task_;
    std::vector<std::uint32_t> variable_;
    std::vector<FactId> required_;  // variable -> the action's precondition on it
    std::vector<std::uint32_t> variables_;
    std::vector<Outcome> outcomes_;
    ActionChanges changes_;
};

}  // namespace

ActionChanges greatest_changes(const GroundTask& task, Budget& watch) { return ChangeFinder(task).find(watch); }

LinearRows state_equation(const GroundTask& task, std::span<const std::int32_t> start, Budget& watch) {
    const ActionChanges changes = greatest_changes(task, watch);
    std::vector<std::int64_t> lower(task.fact_count());
    for (std::size_t v = 0; v < task.variable_count(); ++v)
        lower[task.first_fact[v] + static_cast<FactId>(start[v])] -= 1;
    for (auto fact : task.goal) lower[fact] += 1;
    std::vector<std::vector<std::pair<ActionId, std::int32_t>>> terms(task.fact_count());
    for (ActionId action = 0; action < task.action_count(); ++action) {
        for (auto [fact, amount] : changes[action]) terms[fact].emplace_back(action, amount);
    }
    LinearRows rows;
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        if (task.layer[v] >= 0) continue;
        for (auto fact = task.first_fact[v]; fact < task.first_fact[v + 1]; ++fact) {
            watch.tick();
            auto is_lost = [](auto& term) { return term.second < 0; };
            if (lower[fact] <= 0 && std::ranges::none_of(terms[fact], is_lost)) continue;
            for (auto [action, amount] : terms[fact]) rows.add_term(action, amount);
            rows.end_row(lower[fact]);
        }
    }
    return rows;
}

}  // namespace fsplan
