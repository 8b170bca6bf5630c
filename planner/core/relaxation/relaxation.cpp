#include "relaxation/relaxation.hpp"

#include "containers/sorted.hpp"
#include "containers/store.hpp"
#include "task/dependencies.hpp"

namespace fsplan {

namespace {

using Facts = std::vector<std::uint32_t>;

struct Operator {
    Facts precondition;
    Facts effect;
    Cost cost;
    ActionId action;
    bool shares_action = false;  // whether other operators belong to the same action
};

class Relaxer {
public:
    Relaxer(const GroundTask& task, Budget& watch)
        : task_(task), watch_(watch), variable_(variables_of_facts(task)), fact_count_(task.fact_count()) {}

    Relaxation relax(Duplicates duplicates) {
        for (ActionId a = 0; a < task_.action_count(); ++a) add_action(a);
        for (std::size_t r = 0; r < task_.rule_head.size(); ++r) {
            add(facts(task_.rule_body[r]), {task_.rule_head[r]}, 0, kNoAction);
        }
        add_defaults();
        keep_relevant();
        if (duplicates == Duplicates::merge) keep_cheapest();
        std::erase_if(operators_, [](const auto& each) { return each.effect.empty(); });
        add({task_.goal.begin(), task_.goal.end()}, {}, 0, kNoAction);
        return compact();
    }

private:
    static Facts facts(std::span<const std::uint32_t> row) { return {row.begin(), row.end()}; }

    void add(Facts precondition, Facts effect, Cost cost, ActionId action) {
        sort_unique(precondition);
        sort_unique(effect);
        std::erase_if(effect, [&](auto fact) { return std::ranges::binary_search(precondition, fact); });
        watch_.tick();
        operators_.push_back({std::move(precondition), std::move(effect), cost, action});
    }

    void add_action(ActionId action) {
        if (task_.has_conditional_effects()) return add_by_condition(action);
        const auto first = task_.effect.begin() + task_.first_effect[action];
        const auto last = task_.effect.begin() + task_.first_effect[action + 1];
        if (first != last) add(facts(task_.precondition[action]), {first, last}, task_.cost[action], action);
    }

    void add_by_condition(ActionId action) {
        std::map<Facts, Facts> effects;  // condition -> effects
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
            effects[facts(task_.effect_condition[e])].push_back(task_.effect[e]);
        }
        for (auto& [condition, effect] : effects) {
            auto precondition = facts(task_.precondition[action]);
            precondition.insert(precondition.end(), condition.begin(), condition.end());
            add(std::move(precondition), std::move(effect), task_.cost[action], action);
            operators_.back().shares_action = effects.size() > 1;
        }
    }

    void add_defaults() {
        if (!task_.has_derived()) return;
        auto cyclic = self_dependent_variables(task_);
        std::vector<Facts> rules_failing(task_.variable_count());
        for (std::size_t r = 0; r < task_.rule_head.size(); ++r) {
            auto variable = variable_[task_.rule_head[r]];
            if (!cyclic[variable]) rules_failing[variable].push_back(add_rule_failure(r));
        }
        for (std::uint32_t v = 0; v < task_.variable_count(); ++v) {
            if (task_.layer[v] < 0) continue;
            auto fact = task_.first_fact[v] + static_cast<FactId>(task_.initial[v]);
            add(std::move(rules_failing[v]), {fact}, 0, kNoAction);
        }
    }

    // Adds a helper fact "rule fails", which any other value of any variable in the body of the rule makes true.
    std::uint32_t add_rule_failure(std::size_t rule) {
        auto failure = static_cast<std::uint32_t>(fact_count_++);
        for (auto fact : task_.rule_body[rule]) {
            auto variable = variable_[fact];
            for (auto other = task_.first_fact[variable]; other < task_.first_fact[variable + 1]; ++other) {
                if (other != fact) add({other}, {failure}, 0, kNoAction);
            }
        }
        return failure;
    }

    // Among operators with equal preconditions and effects only the cheapest is kept (the first among equals).
    // Operators that share an action with others are kept, because landmarks pay for the whole action once.
    void keep_cheapest() {
        const auto equal = [&](std::uint32_t left, std::uint32_t right) {
            return operators_[left].precondition == operators_[right].precondition &&
                   operators_[left].effect == operators_[right].effect;
        };
        const auto hash = [&](std::uint32_t o) { return hash_of(operators_[o]); };
        std::unordered_set<std::uint32_t, decltype(hash), decltype(equal)> kept(operators_.size(), hash, equal);
        std::vector<std::uint32_t> dropped;
        for (std::uint32_t o = 0; o < operators_.size(); ++o) {
            watch_.tick();
            if (operators_[o].shares_action) continue;
            const auto [same, is_new] = kept.insert(o);
            if (is_new) continue;
            const bool cheaper = operators_[o].cost < operators_[*same].cost;
            dropped.push_back(cheaper ? *same : o);
            if (!cheaper) continue;
            kept.erase(same);
            kept.insert(o);
        }
        for (const auto o : dropped) operators_[o].effect.clear();
    }

    static std::size_t hash_of(const Operator& each) {
        std::uint64_t hash = each.precondition.size();
        for (const Facts* facts : {&each.precondition, &each.effect})
            for (auto fact : *facts) hash = mix(hash + fact);
        return hash;
    }

    void keep_relevant() {
        std::vector<Facts> achievers(fact_count_);
        for (std::uint32_t o = 0; o < operators_.size(); ++o) {
            for (auto fact : operators_[o].effect) achievers[fact].push_back(o);
        }
        relevant_.assign(fact_count_, false);
        Facts open;
        auto mark = [&](std::uint32_t fact) {
            if (!relevant_[fact]) open.push_back(fact);
            relevant_[fact] = true;
        };
        for (auto fact : task_.goal) mark(fact);
        while (!open.empty()) {
            auto fact = open.back();
            open.pop_back();
            for (auto o : achievers[fact]) {
                for (auto needed : operators_[o].precondition) mark(needed);
            }
        }
        for (auto& each : operators_) std::erase_if(each.effect, [&](auto fact) { return !relevant_[fact]; });
    }

    Relaxation compact() {
        Relaxation result;
        std::vector<std::uint32_t> number(fact_count_, kIrrelevant);
        for (std::size_t fact = 0; fact < fact_count_; ++fact) {
            if (relevant_[fact]) number[fact] = static_cast<std::uint32_t>(result.fact_count++);
        }
        auto append = [&](Rows& rows, const Facts& row) {
            for (auto fact : row) rows.items.push_back(number[fact]);
            rows.end_row();
        };
        for (std::uint32_t o = 0; o < operators_.size(); ++o) {
            watch_.tick();
            const auto& each = operators_[o];
            append(result.precondition, each.precondition);
            append(result.effect, each.effect);
            result.cost.push_back(each.cost);
            result.action.push_back(each.action);
            if (each.precondition.empty()) result.unconditional.push_back(o);
            result.precondition_count.push_back(static_cast<std::uint32_t>(each.precondition.size()));
        }
        result.needed_by = transpose(result.precondition, result.fact_count);
        number.resize(task_.fact_count());
        result.fact_of = std::move(number);
        return result;
    }

    const GroundTask& task_;
    Budget& watch_;
    std::vector<std::uint32_t> variable_;
    std::size_t fact_count_;
    std::vector<Operator> operators_;
    std::vector<bool> relevant_;
};

}  // namespace

Relaxation relax(const GroundTask& task, Duplicates duplicates, Budget& watch) {
    return Relaxer(task, watch).relax(duplicates);
}

}  // namespace fsplan
