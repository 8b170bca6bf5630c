#include "relaxation/relaxation.hpp"

#include "containers/sorted.hpp"
#include "containers/store.hpp"
#include "task/dependencies.hpp"

namespace fsplan {

namespace {

using Facts = std::vector<std::uint32_t>;

// Operators in flat arrays: tasks have up to millions of them.
struct Operators {
    Rows precondition, effect;  // sorted
    std::vector<Cost> cost;
    std::vector<ActionId> action;
    std::vector<std::uint8_t> shares_action;  // whether other operators belong to the same action

    std::size_t size() const { return cost.size(); }
};

void append(Rows& rows, const Facts& row) {
    rows.items.insert(rows.items.end(), row.begin(), row.end());
    rows.end_row();
}

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
        if (duplicates == Duplicates::merge) drop_duplicates();
        return compact();
    }

private:
    static Facts facts(std::span<const std::uint32_t> row) { return {row.begin(), row.end()}; }

    void add(Facts precondition, Facts effect, Cost cost, ActionId action) {
        sort_unique(precondition);
        sort_unique(effect);
        std::erase_if(effect, [&](auto fact) { return std::ranges::binary_search(precondition, fact); });
        watch_.tick();
        append(operators_.precondition, precondition);
        append(operators_.effect, effect);
        operators_.cost.push_back(cost);
        operators_.action.push_back(action);
        operators_.shares_action.push_back(0);
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
            operators_.shares_action.back() = effects.size() > 1 ? 1 : 0;
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

    // Adds a helper fact "rule fails", and operators that add it if a variable in the rule's body has another value.
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

    // Among operators with equal preconditions and effects only the cheapest is kept (the first among equals): the
    // effects of the others are dropped. Operators that share an action with others are kept, because landmarks charge
    // an action once for all its operators.
    void drop_duplicates() {
        std::vector<std::uint32_t> kept(std::bit_ceil(2 * operators_.size() + 2), kNoOperator);  // open addressing
        for (std::uint32_t o = 0; o < operators_.size(); ++o) {
            watch_.tick();
            if (operators_.shares_action[o] || operators_.effect[o].empty()) continue;
            std::size_t place = hash_of(o) & (kept.size() - 1);
            while (kept[place] != kNoOperator && !are_equal(kept[place], o)) place = (place + 1) & (kept.size() - 1);
            std::uint32_t& same = kept[place];
            const bool is_best = same == kNoOperator || operators_.cost[o] < operators_.cost[same];
            const std::uint32_t dropped = is_best ? std::exchange(same, o) : o;
            if (dropped != kNoOperator) is_dropped_[dropped] = 1;
        }
    }
    bool are_equal(std::uint32_t left, std::uint32_t right) const {
        return std::ranges::equal(operators_.precondition[left], operators_.precondition[right]) &&
               std::ranges::equal(operators_.effect[left], operators_.effect[right]);
    }
    std::size_t hash_of(std::uint32_t o) const {
        std::uint64_t hash = operators_.precondition[o].size();
        for (const auto facts : {operators_.precondition[o], operators_.effect[o]})
            for (auto fact : facts) hash = mix(hash + fact);
        return hash;
    }

    void keep_relevant() {
        const Rows achievers = transpose(operators_.effect, fact_count_);
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
                for (auto needed : operators_.precondition[o]) mark(needed);
            }
        }
        Rows effect;
        for (std::uint32_t o = 0; o < operators_.size(); ++o) {
            std::ranges::copy_if(operators_.effect[o], std::back_inserter(effect.items),
                                 [&](auto fact) { return relevant_[fact]; });
            effect.end_row();
        }
        operators_.effect = std::move(effect);
        is_dropped_.assign(operators_.size(), 0);
    }

    Relaxation compact() {
        Relaxation result;
        std::vector<std::uint32_t> number(fact_count_, kIrrelevant);
        for (std::size_t fact = 0; fact < fact_count_; ++fact) {
            if (relevant_[fact]) number[fact] = static_cast<std::uint32_t>(result.fact_count++);
        }
        for (std::uint32_t o = 0; o < operators_.size(); ++o)
            if (!is_dropped_[o] && !operators_.effect[o].empty()) append_renumbered(o, number, result);
        operators_ = {};
        add({task_.goal.begin(), task_.goal.end()}, {}, 0, kNoAction);
        append_renumbered(0, number, result);
        result.needed_by = transpose(result.precondition, result.fact_count);
        number.resize(task_.fact_count());
        result.fact_of = std::move(number);
        return result;
    }
    void append_renumbered(std::uint32_t o, const std::vector<std::uint32_t>& number, Relaxation& result) {
        watch_.tick();
        for (auto fact : operators_.precondition[o]) result.precondition.items.push_back(number[fact]);
        result.precondition.end_row();
        for (auto fact : operators_.effect[o]) result.effect.items.push_back(number[fact]);
        result.effect.end_row();
        const auto needs = static_cast<std::uint32_t>(operators_.precondition[o].size());
        if (needs == 0) result.unconditional.push_back(static_cast<OperatorId>(result.cost.size()));
        result.precondition_count.push_back(needs);
        result.cost.push_back(operators_.cost[o]);
        result.action.push_back(operators_.action[o]);
    }

    const GroundTask& task_;
    Budget& watch_;
    std::vector<std::uint32_t> variable_;
    std::size_t fact_count_;
    Operators operators_;
    std::vector<std::uint8_t> is_dropped_;  // per operator
    std::vector<bool> relevant_;
};

}  // namespace

Relaxation relax(const GroundTask& task, Duplicates duplicates, Budget& watch) {
    return Relaxer(task, watch).relax(duplicates);
}

}  // namespace fsplan
