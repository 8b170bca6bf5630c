// The normalised lifted task: what pddl/normalise.py hands to the grounder.
//
// Conditions are conjunctions of literals; disjunctions have been split or named by derived predicates.
// Terms: t >= 0 is variable t of the schema, t < 0 is object ~t.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fsplan::lifted {

using Term = std::int32_t;

inline constexpr std::int32_t kEquality = -1;  // pseudo-predicate of (in)equality literals

struct Literal {
    std::int32_t predicate;
    bool negated;
    std::vector<Term> arguments;
};

struct Predicate {
    std::string name;
    std::int32_t arity;
    bool fluent;   // some action changes it
    bool derived;  // some rule defines it
};

struct Effect {
    std::int32_t first_variable;     // variables first_variable .. first_variable + types.size() are quantified here
    std::vector<std::int32_t> types;
    std::vector<Literal> condition;
    Literal literal;                 // negated: a delete
};

struct CostTerm {
    std::int32_t function;  // -1: the constant
    std::int32_t constant;
    std::vector<Term> arguments;
};

struct Schema {
    std::string name;
    std::int32_t shown_parameters;       // the first so many variables are the action's arguments
    std::vector<std::int32_t> types;     // of every variable; later ones come from existential quantifiers
    std::vector<Literal> precondition;
    std::vector<Effect> effects;
    std::vector<CostTerm> cost;          // summed
};

struct Rule {
    Literal head;                        // of a derived predicate, positive
    std::vector<std::int32_t> types;
    std::vector<Literal> body;
};

struct Table {
    std::vector<std::int32_t> rows;      // flat, arity columns
};

struct Task {
    std::vector<std::string> objects;
    std::vector<std::vector<std::int32_t>> objects_of_type;   // ascending object numbers
    std::vector<Predicate> predicates;
    std::vector<Table> init;                                  // per predicate
    std::vector<std::int32_t> function_arity;
    std::vector<Table> function_values;                       // per function: arguments…, value
    std::vector<Schema> schemas;
    std::vector<Rule> rules;
    std::vector<Literal> goal;                                // ground
    bool use_costs = false;
};

}  // namespace fsplan::lifted
