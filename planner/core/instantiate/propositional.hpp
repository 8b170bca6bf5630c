// The instantiated task over atoms, before mutex groups turn atoms into variables.
#pragma once

#include "task/task.hpp"

namespace fsplan::propositional {

// A literal over atom a: 2a is "a holds", 2a+1 "a does not hold".
using Literal = std::uint32_t;

// Contains only relaxed-reachable fluent or derived atoms and relaxed-applicable actions; static conditions are
// evaluated, and delete effects on unreachable atoms are removed. Atoms and actions are in the order of GroundTask.
struct Task {
    Rows atom;                          // atom -> predicate, objects…  (numbers of lifted::Task)
    std::vector<std::uint8_t> derived;  // atom -> 1 if derived
    Rows action_atom;                   // action -> schema, shown arguments…
    Rows precondition;                  // action -> literals, sorted, without contradictions
    std::vector<std::uint32_t> first_effect;
    std::vector<Literal> effect;  // 2a: add, 2a+1: delete; if both happen, the add effect wins
    Rows effect_condition;        // effect -> literals
    std::vector<Cost> cost;
    Rows rule_body;
    std::vector<std::uint32_t> rule_head;  // atoms
    std::vector<std::uint32_t> initial;    // true fluent atoms, ascending
    std::vector<Literal> goal;
    bool goal_reachable = true;
};

}  // namespace fsplan::propositional
