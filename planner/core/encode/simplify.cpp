#include "encode/simplify.hpp"

#include "encode/relevance.hpp"
#include "task/reachability.hpp"

namespace fsplan {

namespace {

constexpr FactId kDropped = ~FactId{0};

// Removes, in place, all rows that `keep` does not select, and renumbers the items of the others; items that `map` maps
// to kDropped are removed.
template <class Keep, class Map>
void compact(Rows& rows, Keep keep, Map map) {
    std::uint32_t old_begin = 0, new_end = 0;
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        auto old_end = rows.begin[row + 1];
        if (keep(row)) {
            for (auto i = old_begin; i < old_end; ++i) {
                auto item = map(rows.items[i]);
                if (item != kDropped) rows.items[new_end++] = item;
            }
            rows.begin[++kept] = new_end;
        }
        old_begin = old_end;
    }
    rows.begin.resize(kept + 1);
    rows.items.resize(new_end);
}

template <class T, class Keep>
void compact(std::vector<T>& values, Keep keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (keep(i)) values[kept++] = values[i];
    values.resize(kept);
}

// Removes unreachable and irrelevant parts in place. A variable with a single reachable fact is constant: the fact is
// always true, so it is removed from all conditions.
class Reduction {
public:
    Reduction(GroundTask& task, const Reachable& reachable, const std::vector<std::uint8_t>& relevant)
        : task_(task), reachable_(reachable), relevant_(relevant), new_fact_(task.fact_count(), kDropped) {}

    void run() {
        reduce_variables();
        reduce_actions();
        reduce_rules();
        std::erase_if(task_.goal, [&](FactId fact) { return new_fact_[fact] == kDropped; });
        for (auto& fact : task_.goal) fact = new_fact_[fact];
    }

private:
    void reduce_variables() {
        std::size_t kept = 0;
        FactId begin = 0, next = 0;
        for (std::size_t v = 0; v < task_.variable_count(); ++v) {
            auto end = task_.first_fact[v + 1];
            auto size = std::count(reachable_.fact.begin() + begin, reachable_.fact.begin() + end, 1);
            if (relevant_[v] && size >= 2) {
                auto initial = begin + static_cast<FactId>(task_.initial[v]);
                task_.first_fact[kept] = next;
                for (auto fact = begin; fact < end; ++fact)
                    if (reachable_.fact[fact]) new_fact_[fact] = next++;
                task_.domain_size[kept] = static_cast<std::int32_t>(size);
                task_.layer[kept] = task_.layer[v];
                task_.initial[kept] = static_cast<std::int32_t>(new_fact_[initial] - task_.first_fact[kept]);
                ++kept;
            }
            begin = end;
        }
        task_.first_fact.resize(kept + 1);
        task_.first_fact[kept] = next;
        task_.domain_size.resize(kept);
        task_.layer.resize(kept);
        task_.initial.resize(kept);
        auto keep = [&](std::size_t fact) { return new_fact_[fact] != kDropped; };
        compact(task_.fact_atom, keep, std::identity{});
        compact(task_.fact_negated, keep);
    }

    void reduce_actions() {
        auto map = [&](FactId fact) { return new_fact_[fact]; };
        auto keep_effect = [&](std::size_t e) { return reachable_.effect[e] && map(task_.effect[e]) != kDropped; };
        std::vector<std::uint8_t> kept(task_.action_count());
        std::uint32_t actions = 0, effects = 0, begin = 0;
        for (std::size_t a = 0; a < task_.action_count(); ++a) {
            auto end = task_.first_effect[a + 1];
            auto first = effects;
            for (auto e = begin; reachable_.action[a] && e < end; ++e) effects += keep_effect(e);
            kept[a] = effects > first;
            if (kept[a]) task_.first_effect[++actions] = effects;
            begin = end;
        }
        task_.first_effect.resize(actions + 1);
        auto keep = [&](std::size_t a) { return kept[a] != 0; };
        compact(task_.precondition, keep, map);
        compact(task_.action_atom, keep, std::identity{});
        compact(task_.cost, keep);
        compact(task_.effect_condition, keep_effect, map);
        compact(task_.effect, keep_effect);
        for (auto& fact : task_.effect) fact = new_fact_[fact];
    }

    void reduce_rules() {
        auto map = [&](FactId fact) { return new_fact_[fact]; };
        auto keep = [&](std::size_t rule) { return reachable_.rule[rule] && map(task_.rule_head[rule]) != kDropped; };
        compact(task_.rule_body, keep, map);
        compact(task_.rule_head, keep);
        for (auto& fact : task_.rule_head) fact = new_fact_[fact];
    }

    GroundTask& task_;
    const Reachable& reachable_;
    const std::vector<std::uint8_t>& relevant_;
    std::vector<FactId> new_fact_;
};

// A task with one variable that is false initially, has to become true, and is set by no action.
GroundTask unsolvable_task(const GroundTask& task) {
    GroundTask result;
    result.domain_size = {2};
    result.layer = {-1};
    result.initial = {0};
    result.first_fact = {0, 2};
    result.first_effect = {0};
    result.goal = {1};
    result.unit_cost = task.unit_cost;
    result.solvable_relaxed = false;
    result.symbols = task.symbols;
    result.symbols.push_back("unreachable-goal");
    auto symbol = static_cast<std::uint32_t>(task.symbols.size());
    result.fact_atom = {{0, 1, 2}, {symbol, symbol}};
    result.fact_negated = {1, 0};
    return result;
}

// A weaker form of reachability, in which every action is applicable: the facts of the initial state and of all effects.
Reachable all_reachable(const GroundTask& task) {
    Reachable reachable;
    reachable.fact.resize(task.fact_count());
    for (std::size_t v = 0; v < task.variable_count(); ++v)
        reachable.fact[task.first_fact[v] + static_cast<FactId>(task.initial[v])] = 1;
    for (auto fact : task.effect) reachable.fact[fact] = 1;
    reachable.action.resize(task.action_count(), 1);
    reachable.effect.resize(task.effect.size(), 1);
    return reachable;
}

std::vector<std::uint8_t> relevant_variables(const GroundTask& task, const Reachable& reachable) {
    auto variable_of = variables_of_facts(task);
    auto node_of = [&](FactId fact) { return variable_of[fact]; };
    auto of_effect = [&](std::size_t e) { return reachable.effect[e] ? variable_of[task.effect[e]] : kIgnored; };
    auto of_rule = [&](std::size_t r) { return reachable.rule[r] ? variable_of[task.rule_head[r]] : kIgnored; };
    return Relevance(task, task.variable_count(), node_of, of_effect, of_rule).run();
}

}  // namespace

GroundTask simplify(Translation translation, bool only_relevant) {
    auto& task = translation.task;
    if (!task.solvable_relaxed) return unsolvable_task(task);
    auto reachable = translation.all_kept ? all_reachable(task) : relaxed_reachable(task);
    bool solvable = std::ranges::all_of(task.goal, [&](FactId fact) { return reachable.fact[fact] != 0; });
    if (!solvable) return unsolvable_task(task);
    std::vector<std::uint8_t> relevant(task.variable_count(), 1);
    if (only_relevant && !translation.all_kept) relevant = relevant_variables(task, reachable);
    Reduction(task, reachable, relevant).run();
    return std::move(task);
}

// The layer of a rule's head is at least that of each variable in its body, and greater than that of a variable whose
// default value the body requires.
void stratify(GroundTask& task) {
    auto variable_of = variables_of_facts(task);
    std::int32_t derived = 0;
    for (auto& layer : task.layer)
        if (layer >= 0) layer = 0, ++derived;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t rule = 0; rule < task.rule_head.size(); ++rule) {
            auto head = variable_of[task.rule_head[rule]];
            auto needed = task.layer[head];
            for (auto fact : task.rule_body[rule]) {
                auto variable = variable_of[fact];
                if (task.layer[variable] < 0) continue;
                bool is_default = fact == task.first_fact[variable] + static_cast<FactId>(task.initial[variable]);
                needed = std::max(needed, task.layer[variable] + is_default);
            }
            if (needed > derived) throw std::invalid_argument("a derived predicate depends on its own negation");
            changed |= needed != task.layer[head];
            task.layer[head] = needed;
        }
    }
}

}  // namespace fsplan
