// Potentials: a weight y(f) >= 0 per fact, such that for every action a
//     Σ over facts f of change(a, f) · y(f)  <=  cost(a),
// where change(a, f) is the most that a can add to the truth of f (state_equation.hpp). Then
//     h(s) = Σ over goal facts of y  −  Σ over the facts of s of y
// is consistent, for an action changes it by at most its cost, and 0 or less where the goal holds: admissible. These y are
// the multipliers of the state equation's rows, so the best of them for a state s give the value of the state equation at s.
//
// Example: a truck at A shall be at C, and drives A–B–C at a cost of 1 per step. y(C) = 2, y(B) = 1, y(A) = 0: every drive
// adds at most 1, and h is 2 − 0 at A, 2 − 1 at B, 0 at C.
//
// Weights are integers over a common denominator. A linear program suggests them, in floating point; what is used here has
// passed the inequalities above in integers.
//
// Conditional effects are treated as change(a, f) treats them; derived variables have no weights, and a goal fact of one
// adds nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bounds/linear_rows.hpp"
#include "heuristics/sampled_states.hpp"
#include "task/task.hpp"
#include "work_watch.hpp"

namespace fsplan {

struct Potential {
    std::vector<std::int64_t> weight;  // per fact, at least 0
    std::int64_t denominator = 1;
};

// What the linear program is made of: row f of `changes` has change(a, f) for all a where it is not 0.
struct PotentialProblem {
    const GroundTask& task;
    const LinearRows& changes;
    std::span<const StateValues> states;  // to be estimated well; the first is the start
    double seconds;
    bool solver_is_optional;
};

// The core has no solver for linear programs. The bindings bring one. Where it is not installed that is an error, or, if
// the solver is optional, there are no potentials.
using PotentialSolver = std::function<std::vector<Potential>(const PotentialProblem&)>;
void set_potential_solver(PotentialSolver solver);

// Potentials for the start, for sampled states on the average and for some of them singly. Checked.
enum class SolverIs { required, optional };
std::vector<Potential> find_potentials(const GroundTask& task, WorkWatch& watch, SolverIs solver = SolverIs::required);

// Whether the potential satisfies its inequalities, and no sum over the facts of a state can overflow.
bool is_consistent(const GroundTask& task, const LinearRows& changes, const Potential& potential);

// Row f: the actions that change f.
LinearRows changes_of_facts(const GroundTask& task, WorkWatch& watch = unlimited());

}  // namespace fsplan
