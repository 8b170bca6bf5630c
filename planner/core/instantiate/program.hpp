// The lifted task compiled to queries over relations, one relation per predicate.
//
// A predicate is live (fluent or derived) if actions or rules change it; literals of all other predicates are evaluated
// during grounding.
#pragma once

#include "instantiate/join.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

struct LiveLiteral {
    std::int32_t predicate;
    bool negated;
    std::vector<Slot> slots;
};

struct Constraint {
    lifted::Formula::Kind kind;
    LiveLiteral literal;  // for Kind::literal; any predicate, or lifted::kEquality
    JoinPlan plan;        // for quantifiers: the query for the choices of the variables
    std::vector<Constraint> parts;
};

// A conjunction: a query for the bindings under which its static part holds and its live atoms are reachable, and the
// live literals and constraints that have to be tested in states.
struct Condition {
    Body body;
    std::vector<LiveLiteral> live;
    std::vector<Constraint> constraints;

    bool trivial() const { return body.variables.empty() && body.atoms.empty() && body.filters.empty(); }
};

struct CompiledEffect {
    Condition condition;  // may have variables that are not parameters of the action
    LiveLiteral literal;
};

struct CompiledSchema {
    std::vector<Object> binding;  // initial binding: the slots of constants are filled
    Slot variables = 0;
    Condition precondition;
    std::vector<CompiledEffect> effects;
    std::unique_ptr<Relation> instances;
};

struct CompiledRule {
    std::vector<Object> binding;
    Slot variables = 0;
    Condition body;
    LiveLiteral head;
    std::unique_ptr<Relation> instances;  // null if only the atoms that the rule derives are recorded
};

struct CompiledGoal {
    Condition condition;
    std::vector<Object> binding;
};

// Thrown if there are more instances of schemas than Program::most_actions.
struct TooManyActions : std::length_error {
    TooManyActions() : std::length_error("the task has too many ground actions") {}
};

class Program {
public:
    // Without rule_instances, instances of rules are not recorded.
    Program(const lifted::Task& task, Budget& watch, bool rule_instances = true);

    std::int32_t predicates() const { return static_cast<std::int32_t>(relations_.size()); }
    bool live(std::int32_t predicate) const { return live_[static_cast<std::size_t>(predicate)]; }
    Relation& relation(std::int32_t predicate) { return *relations_[static_cast<std::size_t>(predicate)]; }
    // Number of rows of the initial state, which are the first rows of the predicate's relation.
    Relation::Row initial_rows(std::int32_t predicate) const {
        return initial_rows_[static_cast<std::size_t>(predicate)];
    }
    const Type* anything() const { return &types_.back(); }

    // Whether the constraints can hold: every live literal counts as true.
    bool possible(const std::vector<Constraint>& constraints, Object* binding);
    // Evaluates a static literal or an equality.
    bool holds(const LiveLiteral& literal, const Object* binding);
    Relation::Row find(const LiveLiteral& literal, const Object* binding);

    Budget& watch;
    std::size_t most_actions = std::numeric_limits<std::size_t>::max();
    std::vector<CompiledSchema> schemas;
    std::vector<CompiledRule> rules;
    CompiledGoal goal;

private:
    class Compiler;

    bool possible(const Constraint& constraint, Object* binding);

    std::vector<Type> types_;  // the last type contains every object
    std::vector<std::unique_ptr<Relation>> relations_;
    std::vector<Relation::Row> initial_rows_;
    std::vector<bool> live_;
};

}  // namespace fsplan
