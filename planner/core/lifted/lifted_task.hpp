// The normalised lifted task, which pddl/normalise.py produces and the grounder takes as input.
//
// Conditions are conjunctions of literals, and of constraints: formulas with disjunctions and quantifiers that the
// normaliser leaves to the grounder, which simplifies them for each instance. Ignoring a constraint weakens the
// condition. This is sound for preconditions and add effects, but not for a delete effect that must happen. A term t >=
// 0 is the schema's variable t, a term t < 0 is the object ~t.
#pragma once

#include "base/std.hpp"

namespace fsplan::lifted {

using Term = std::int32_t;

inline constexpr std::int32_t kEquality = -1;  // pseudo-predicate of (in)equality literals

struct Literal {
    std::int32_t predicate;
    bool negated;
    std::vector<Term> arguments;
};

// A formula in negation normal form. Quantified variables are numbered after those of the enclosing scope.
struct Formula {
    enum class Kind : std::int32_t { literal, conjunction, disjunction, forall, exists };
    Kind kind;
    Literal literal;              // only for Kind::literal
    std::int32_t first_variable;  // only for quantifiers; has the same meaning as in Effect
    std::vector<std::int32_t> types;
    std::vector<Formula> parts;  // subformulas; a quantifier has exactly one
};

struct Predicate {
    std::string name;
    std::int32_t arity;
    bool fluent;   // whether some action changes it
    bool derived;  // whether some rule defines it
};

struct Effect {
    std::int32_t first_variable;  // the effect quantifies over first_variable … first_variable + types.size() - 1
    std::vector<std::int32_t> types;
    std::vector<Literal> condition;
    std::vector<Formula> constraints;
    Literal literal;  // it is negated in a delete effect
};

struct CostTerm {
    std::int32_t function;  // -1 if the cost is the constant
    std::int32_t constant;
    std::vector<Term> arguments;
};

// Adjacent schemas of one name are alternatives of one action, whose precondition was split.
struct Schema {
    std::string name;
    std::int32_t shown_parameters;  // the action's arguments are the first shown_parameters variables
    // Type of every variable. Variables that are not arguments come from existential quantifiers.
    std::vector<std::int32_t> types;
    std::vector<Literal> precondition;
    std::vector<Formula> constraints;
    std::vector<Effect> effects;
    std::vector<CostTerm> cost;  // summed
};

struct Rule {
    Literal head;  // positive literal of the derived predicate
    std::vector<std::int32_t> types;
    std::vector<Literal> body;
    std::vector<Formula> constraints;
};

struct Table {
    std::vector<std::int32_t> rows;  // all rows, one after the other
};

struct Task {
    std::vector<std::string> objects;
    std::vector<std::vector<std::int32_t>> objects_of_type;  // ascending object numbers
    std::vector<Predicate> predicates;
    std::vector<Table> init;  // predicate -> its atoms in the initial state
    std::vector<std::string> functions;
    std::vector<std::int32_t> function_arity;
    std::vector<Table> function_values;  // function -> rows (argument, …, argument, value)
    std::vector<Schema> schemas;
    std::vector<Rule> rules;
    std::vector<Literal> goal;  // ground
    std::vector<Formula> goal_constraints;
    bool use_costs = false;
};

}  // namespace fsplan::lifted
