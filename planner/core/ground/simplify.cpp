#include "ground/simplify.hpp"

#include <algorithm>

#include "ground/reachability.hpp"
#include "ground/relevance.hpp"

namespace fsplan {

namespace {

constexpr FactId kDropped = ~FactId{0};

// Copies what is kept, renumbered. Facts of constant variables are true wherever they are reachable.
class Rebuild {
public:
    Rebuild(const GroundTask& task, const Reachable& reachable, const std::vector<std::uint8_t>& relevant)
        : task_(task),
          reachable_(reachable),
          new_fact_(task.fact_count(), kDropped) {
        out_.unit_cost = task.unit_cost;
        out_.symbols = task.symbols;
        out_.first_fact.push_back(0);
        for (std::uint32_t v = 0; v < task.variable_count(); ++v)
            if (relevant[v]) copy_variable(v);
    }

    GroundTask run() {
        for (std::uint32_t a = 0; a < task_.action_count(); ++a)
            if (reachable_.action[a]) copy_action(a);
        out_.first_effect.push_back(static_cast<std::uint32_t>(out_.effect.size()));
        for (std::size_t r = 0; r < task_.rule_head.size(); ++r) copy_rule(r);
        copy_facts(task_.goal, out_.goal);
        return std::move(out_);
    }

private:
    void copy_variable(std::uint32_t v) {
        auto begin = task_.first_fact[v], end = task_.first_fact[v + 1];
        auto size = std::count(reachable_.fact.begin() + begin, reachable_.fact.begin() + end, 1);
        if (size < 2) return;
        auto initial = begin + static_cast<FactId>(task_.initial[v]);
        auto next = out_.first_fact.back();
        for (auto fact = begin; fact < end; ++fact) {
            if (!reachable_.fact[fact]) continue;
            new_fact_[fact] = next++;
            auto atom = task_.fact_atom[fact];
            out_.fact_atom.items.insert(out_.fact_atom.items.end(), atom.begin(), atom.end());
            out_.fact_atom.end_row();
            out_.fact_negated.push_back(task_.fact_negated[fact]);
        }
        out_.domain_size.push_back(static_cast<std::int32_t>(size));
        out_.layer.push_back(task_.layer[v]);
        out_.initial.push_back(static_cast<std::int32_t>(new_fact_[initial] - out_.first_fact.back()));
        out_.first_fact.push_back(next);
    }

    void copy_facts(std::span<const FactId> facts, std::vector<FactId>& to) const {
        for (auto fact : facts)
            if (new_fact_[fact] != kDropped) to.push_back(new_fact_[fact]);
    }

    void copy_action(std::uint32_t action) {
        auto first = static_cast<std::uint32_t>(out_.effect.size());
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
            if (!reachable_.effect[e] || new_fact_[task_.effect[e]] == kDropped) continue;
            out_.effect.push_back(new_fact_[task_.effect[e]]);
            copy_facts(task_.effect_condition[e], out_.effect_condition.items);
            out_.effect_condition.end_row();
        }
        if (out_.effect.size() == first) return;
        out_.first_effect.push_back(first);
        copy_facts(task_.precondition[action], out_.precondition.items);
        out_.precondition.end_row();
        out_.cost.push_back(task_.cost[action]);
        auto atom = task_.action_atom[action];
        out_.action_atom.items.insert(out_.action_atom.items.end(), atom.begin(), atom.end());
        out_.action_atom.end_row();
    }

    void copy_rule(std::size_t rule) {
        auto head = new_fact_[task_.rule_head[rule]];
        if (!reachable_.rule[rule] || head == kDropped) return;
        copy_facts(task_.rule_body[rule], out_.rule_body.items);
        out_.rule_body.end_row();
        out_.rule_head.push_back(head);
    }

    const GroundTask& task_;
    const Reachable& reachable_;
    std::vector<FactId> new_fact_;
    GroundTask out_;
};

// One variable that starts false, has to become true, and no action that makes it so.
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

}  // namespace

GroundTask simplify(const GroundTask& task, bool only_relevant) {
    if (!task.solvable_relaxed) return unsolvable_task(task);
    auto reachable = relaxed_reachable(task);
    bool solvable = std::ranges::all_of(task.goal, [&](FactId fact) { return reachable.fact[fact] != 0; });
    if (!solvable) return unsolvable_task(task);
    std::vector<std::uint8_t> relevant(task.variable_count(), 1);
    if (only_relevant) {
        auto variable_of = variables_of_facts(task);
        auto node_of = [&](FactId fact) { return variable_of[fact]; };
        auto of_effect = [&](std::size_t e) { return reachable.effect[e] ? variable_of[task.effect[e]] : kIgnored; };
        auto of_rule = [&](std::size_t r) { return reachable.rule[r] ? variable_of[task.rule_head[r]] : kIgnored; };
        relevant = Relevance(task, task.variable_count(), node_of, of_effect, of_rule).run();
    }
    return Rebuild(task, reachable, relevant).run();
}

}  // namespace fsplan
