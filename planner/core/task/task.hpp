// The ground task in finite-domain variables: the result of grounding and the input of searches and heuristics.
//
// A fact is a (variable, value) pair with a dense number: fact = first_fact[variable] + value. Lists are in compressed
// rows: the members of row i are items[begin[i] .. begin[i+1]). An effect happens if its conditions hold in the state
// before the action. If several effects of an action set the same variable, the last one wins (delete effects are
// listed first, so add effects win). A derived variable has a layer >= 0, is set to its default before evaluation, then
// the rules of layer 0, 1, … are applied to a fixpoint each; actions never set it.
#pragma once

#include "containers/sorted.hpp"
#include "contract/graph.hpp"

namespace fsplan {

using FactId = std::uint32_t;

struct Rows {
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> items;

    std::size_t size() const { return begin.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t row) const {
        return {items.data() + begin[row], begin[row + 1] - begin[row]};
    }
    void end_row() { begin.push_back(static_cast<std::uint32_t>(items.size())); }
};

// item -> the rows it occurs in, ascending
Rows transpose(const Rows& rows, std::size_t items);

// Mutex groups over all atoms that grounding reached, for the writer of proofs.
struct NamedGroups {
    Rows atom;                              // atom -> predicate, objects…, as numbers of GroundTask::symbols
    Rows members;                           // group -> atoms; group 0 has the atoms that are never true
    std::vector<std::uint8_t> exactly_one;  // group -> 1 if one of its atoms is true in every reachable state
};

struct GroundTask {
    // variables
    std::vector<std::int32_t> domain_size;
    std::vector<std::int32_t> layer;    // -1 if actions set it, otherwise its layer as a derived variable
    std::vector<std::int32_t> initial;  // value per variable; for a derived one its default
    std::vector<FactId> first_fact;     // variable -> number of its first fact; one more entry for the end
    // Actions, ordered by schema, then by arguments
    Rows precondition;                        // action -> facts, sorted
    std::vector<std::uint32_t> first_effect;  // action -> its effects first_effect[a] .. first_effect[a+1]
    std::vector<FactId> effect;               // effect -> the fact that it makes true
    Rows effect_condition;                    // effect -> facts
    std::vector<Cost> cost;
    // rules of derived variables
    Rows rule_body;  // rule -> facts
    std::vector<FactId> rule_head;
    std::vector<FactId> goal;
    bool unit_cost = true;         // every action costs one and the task has no metric
    bool solvable_relaxed = true;  // false: the goal is unreachable in the delete relaxation

    // names, built on demand
    std::vector<std::string> symbols;                 // predicates, schemas and objects
    Rows fact_atom;                                   // fact -> predicate, arguments…; an empty row for "none of those"
    std::vector<std::uint8_t> fact_negated;           // whether the fact is the negation of its atom
    Rows action_atom;                                 // action -> schema, arguments…
    std::shared_ptr<const NamedGroups> mutex_groups;  // null unless the task was grounded from PDDL

    std::size_t variable_count() const { return domain_size.size(); }
    std::size_t fact_count() const { return first_fact.back(); }
    std::size_t action_count() const { return cost.size(); }
    // True also for derived variables without rules, which keep their default values.
    bool has_derived() const {
        return std::ranges::any_of(layer, [](auto each) { return each >= 0; });
    }
    bool has_conditional_effects() const { return !effect_condition.items.empty(); }
    std::string action_name(std::size_t action) const;  // "stack a b"
    std::string fact_name(FactId fact) const;           // "on(a, b)", "not clear(a)", "none of those"
    // Whether the fact is an atom of the domain: neither a negation nor of a predicate that normalising made ("goal@").
    bool is_named_atom(FactId fact) const;
};

// The variable of every fact.
std::vector<std::uint32_t> variables_of_facts(const GroundTask& task);

}  // namespace fsplan
