// The delete relaxation of a ground task, restricted to facts and operators that are relevant to the goal.
//
// Operators come from
//   actions   one for the unconditional effects and one for each distinct effect condition (whose precondition is the
//             action's plus the condition); all carry the action's number and cost;
//   rules     cost nothing and belong to no action;
//   defaults  a derived variable keeps its default iff all its rules fail, and a rule fails iff some fact of its body
//             is false. Both steps are operators of cost 0 over helper facts "rule r fails". This is not correct for a
//             variable that depends on itself (it would need a greatest fixpoint), so the default of such a variable
//             is free, which only lowers h.
// So a plan of the task is a plan of the relaxation with the same actions, and h of the relaxation is admissible.
// The goal is the last operator: it has no effects and belongs to no action.
#pragma once

#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

using OperatorId = std::uint32_t;

inline constexpr OperatorId kNoOperator = std::numeric_limits<OperatorId>::max();
inline constexpr std::uint32_t kIrrelevant = std::numeric_limits<std::uint32_t>::max();

struct Relaxation {
    std::vector<std::uint32_t> fact_of;  // fact of the task -> fact of the relaxation or kIrrelevant
    std::size_t fact_count = 0;
    Rows precondition;                              // operator -> facts
    std::vector<std::uint32_t> precondition_count;  // per operator
    Rows effect;                                    // operator -> facts, none of them in its precondition
    Rows needed_by;                                 // fact -> operators
    std::vector<Cost> cost;
    std::vector<ActionId> action;              // kNoAction: a rule, a default or the goal
    std::vector<std::uint32_t> unconditional;  // operators without a precondition

    std::size_t operator_count() const { return cost.size(); }
    // Work of one exploration of all reachable facts.
    std::size_t work() const { return needed_by.items.size(); }
    std::uint32_t goal() const { return static_cast<std::uint32_t>(cost.size() - 1); }
};

// Among operators with equal preconditions and effects only the cheapest matters to a heuristic. Landmarks that must
// hold under any costs need all of them.
enum class Duplicates { merge, keep };

Relaxation relax(const GroundTask& task, Duplicates duplicates = Duplicates::merge, Budget& watch = unlimited());

// A copy with other action costs.
template <class CostOf>
Relaxation with_costs(Relaxation relaxation, CostOf cost_of) {
    for (OperatorId op = 0; op < relaxation.operator_count(); ++op)
        if (relaxation.action[op] != kNoAction) relaxation.cost[op] = cost_of(relaxation.action[op]);
    return relaxation;
}

// a + b, but never kDeadEnd.
inline Cost saturating_add(Cost a, Cost b) {
    auto sum = std::int64_t{a} + b;
    return sum < kDeadEnd ? static_cast<Cost>(sum) : kDeadEnd - 1;
}

}  // namespace fsplan
