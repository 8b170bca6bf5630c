// The normalised lifted task: what pddl/normalise.py hands to the grounder.
//
// Conditions are conjunctions of literals, and of constraints: formulas with disjunctions and quantifiers that the
// normaliser leaves to the grounder, which simplifies them for each instance. To ignore a constraint weakens the condition:
// sound where a weaker condition is (preconditions, adds), not for a delete that has to happen.
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

// In negation normal form. Quantified variables are numbered on from the scope they stand in.
struct Formula {
    enum class Kind : std::int32_t { literal, conjunction, disjunction, forall, exists };
    Kind kind;
    Literal literal;                 // of Kind::literal
    std::int32_t first_variable;     // of the quantifiers, as in Effect
    std::vector<std::int32_t> types;
    std::vector<Formula> parts;      // one part below a quantifier
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
    std::vector<Formula> constraints;
    Literal literal;                 // negated: a delete
};

struct CostTerm {
    std::int32_t function;  // -1: the constant
    std::int32_t constant;
    std::vector<Term> arguments;
};

// Schemas of one name are alternatives of one action (its precondition was split) and stand side by side.
struct Schema {
    std::string name;
    std::int32_t shown_parameters;       // that many variables, the first ones, are the action's arguments
    std::vector<std::int32_t> types;     // of every variable; later ones come from existential quantifiers
    std::vector<Literal> precondition;
    std::vector<Formula> constraints;
    std::vector<Effect> effects;
    std::vector<CostTerm> cost;          // summed
};

struct Rule {
    Literal head;                        // of a derived predicate, positive
    std::vector<std::int32_t> types;
    std::vector<Literal> body;
    std::vector<Formula> constraints;
};

struct Table {
    std::vector<std::int32_t> rows;      // flat, arity columns
};

struct Task {
    std::vector<std::string> objects;
    std::vector<std::vector<std::int32_t>> objects_of_type;   // ascending object numbers
    std::vector<Predicate> predicates;
    std::vector<Table> init;                                  // per predicate
    std::vector<std::string> functions;
    std::vector<std::int32_t> function_arity;
    std::vector<Table> function_values;                       // per function: arguments…, value
    std::vector<Schema> schemas;
    std::vector<Rule> rules;
    std::vector<Literal> goal;                                // ground
    std::vector<Formula> goal_constraints;
    bool use_costs = false;
};

}  // namespace fsplan::lifted
