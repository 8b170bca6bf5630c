#include "task/prune.hpp"

namespace fsplan {

namespace {

constexpr std::size_t kWork = 25'000'000;  // the limit `work` of find_alive_pairs

class Pruner {
public:
    Pruner(const GroundTask& task, const AlivePairs& alive)
        : task_(task), alive_(alive), variable_(variables_of_facts(task)), actions_(pair_actions(task)) {}

    GroundTask run() {
        GroundTask result = task_;
        result.precondition = result.effect_condition = Rows();
        result.first_effect = {0};
        result.effect.clear();
        for (ActionId action = 0; action < task_.action_count(); ++action) add(action, result);
        std::vector<FactId> goal(task_.goal);
        for (std::uint32_t v = 0; v < task_.variable_count(); ++v) add_implied(v, goal);
        std::ranges::sort(goal);
        result.goal = std::move(goal);
        return result;
    }

private:
    void add(ActionId action, GroundTask& result) {
        const auto row = task_.precondition[action];
        std::vector<FactId> needed(row.begin(), row.end());
        for (auto v : actions_[action].touched) add_implied(v, needed);
        std::ranges::sort(needed);
        const bool used = is_used(action);
        for (auto e = task_.first_effect[action]; used && e < task_.first_effect[action + 1]; ++e) {
            const auto condition = task_.effect_condition[e];
            if (!can_hold(needed, condition)) continue;
            result.effect.push_back(task_.effect[e]);
            result.effect_condition.items.insert(result.effect_condition.items.end(), condition.begin(),
                                                 condition.end());
            result.effect_condition.end_row();
        }
        result.first_effect.push_back(static_cast<std::uint32_t>(result.effect.size()));
        result.precondition.items.insert(result.precondition.items.end(), needed.begin(), needed.end());
        result.precondition.end_row();
    }
    bool is_used(ActionId action) const {
        return alive_.solvable && alive_.pairs.contains_all(actions_[action].precondition) &&
               alive_.pairs.contains_all(actions_[action].after);
    }
    bool can_hold(std::span<const FactId> a, std::span<const FactId> b) const {
        std::vector<FactId> own;
        for (auto facts : {a, b}) {
            for (auto fact : facts) {
                if (!is_derived(fact)) own.push_back(fact);
            }
        }
        return alive_.pairs.contains_all(own);
    }
    // Adds the only value of the variable that forms pairs with all these facts, if there is just one.
    void add_implied(std::uint32_t variable, std::vector<FactId>& facts) const {
        if (task_.layer[variable] >= 0) return;
        if (std::ranges::any_of(facts, [&](auto fact) { return variable_[fact] == variable; })) return;
        std::vector<FactId> possible;
        for (auto value = task_.first_fact[variable]; value < task_.first_fact[variable + 1]; ++value) {
            auto goes_with = [&](FactId fact) { return is_derived(fact) || alive_.pairs.contains(fact, value); };
            if (alive_.pairs.contains(value, value) && std::ranges::all_of(facts, goes_with)) possible.push_back(value);
        }
        if (possible.size() == 1) facts.push_back(possible[0]);
    }
    bool is_derived(FactId fact) const { return task_.layer[variable_[fact]] >= 0; }

    const GroundTask& task_;
    const AlivePairs& alive_;
    std::vector<std::uint32_t> variable_;
    std::vector<PairAction> actions_;
};

}  // namespace

GroundTask pruned(const GroundTask& task, std::span<const std::int32_t> start, Budget& watch) {
    const auto alive = find_alive_pairs(task, start, kWork, watch);
    GroundTask result = alive ? Pruner(task, *alive).run() : task;
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        if (task.layer[v] < 0) result.initial[v] = start[v];
    }
    return result;
}

}  // namespace fsplan
