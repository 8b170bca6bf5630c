// Potentials: a weight y(f) >= 0 per fact, such that for every action a
//     Σ over facts f of change(a, f) · y(f)  <=  cost(a),
// where change(a, f) is the most that a can add to the truth of f (state_equation.hpp). Then
//     h(s) = Σ over goal facts of y  −  Σ over the facts of s of y
// is consistent, because an action decreases it by at most its cost, and it is at most 0 at goals; so it is admissible.
// The weights y are multipliers of the rows of the state equation (dual values), so the greatest h(s) over all y is the
// bound of the state equation for s.
//
// Example: a truck at A shall be at C, and drives A–B–C at a cost of 1 per step. y(C) = 2, y(B) = 1, y(A) = 0: every
// drive adds at most 1, and h is 2 − 0 at A, 2 − 1 at B, 0 at C.
//
// Weights are integers over a common denominator. A linear program computes them in floating point; only weights that
// satisfy the inequalities above in integer arithmetic are used.
//
// Conditional effects are covered by change(a, f). Derived variables have no weights, so derived goal facts add
// nothing.
#pragma once

#include "base/budget.hpp"
#include "bounds/linear_rows.hpp"
#include "relaxation/sampled_states.hpp"
#include "task/task.hpp"

namespace fsplan {

struct Potential {
    std::vector<std::int64_t> weight;  // fact -> its weight times the denominator, at least 0
    std::int64_t denominator = 1;
};

// Input of the linear program. Row f of `changes` holds the coefficients change(a, f) that are not 0.
struct PotentialProblem {
    const GroundTask& task;
    const LinearRows& changes;
    std::span<const StateValues> states;  // states whose h-values are maximised; the first is the initial state
    double seconds;
};

// The core has no solver for linear programs; the bindings provide one, which raises an error if HiGHS is not installed.
using PotentialSolver = std::function<std::vector<Potential>(const PotentialProblem&)>;
void set_potential_solver(PotentialSolver solver);

// Potentials that are optimised for the initial state, for the average of sampled states, and for some single sampled
// states. Their inequalities have been checked. They are computed before a search, never during one.
std::vector<Potential> find_potentials(const GroundTask& task, Budget& watch);

// Whether the potential satisfies the inequalities and the sum over the facts of a state cannot overflow.
bool is_consistent(const GroundTask& task, const LinearRows& changes, const Potential& potential);

// Row f holds change(a, f) for all actions a for which it is not 0.
LinearRows changes_of_facts(const GroundTask& task, Budget& watch = unlimited());

}  // namespace fsplan
