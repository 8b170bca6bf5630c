// Lifted invariants: sets of atoms with parameters of which at most one is true in every reachable state.
//
// After M. Helmert, "Concise finite-domain representations for PDDL planning tasks" (2009): a candidate is a set of
// parts, each a predicate whose arguments are the candidate's parameters and at most one counted argument. An instance
// fixes the parameters; its weight is the number of its atoms that are true. A candidate is an invariant if no action
// raises the weight of an instance: no action adds two of its atoms (too heavy), and an action that adds one atom
// deletes another true one (balanced). A candidate that is not balanced is refined by a part for an atom that the same
// action deletes. Two rules go beyond the paper. Only instances with an initial weight of at most one are used, so an
// action that requires two true atoms of an instance is never applicable. And an add effect is harmless if all other
// atoms of the instance are certain to be false afterwards: then the weight may rise from 0 to 1, but not above.
#pragma once

#include "base/budget.hpp"
#include "invariants/invariant_operators.hpp"

namespace fsplan::invariants {

struct Invariant {
    std::vector<Part> parts;
    bool never_rises;  // whether the weight of an instance never grows, not even from 0 to 1
};

// Refinement may not terminate, so the number of candidates is bounded. A seed is a candidate with a single part; when
// the candidates of a seed are used up, later seeds that are part of an invariant are skipped. IPC domains other than
// organic synthesis stay far below these limits.
struct Limits {
    std::size_t candidates_per_seed = 1'000;
    std::size_t candidates = 5'000;
    std::size_t steps = 5'000'000;          // limit on the add effects, and pairs of them, that are visited
    std::size_t effects_of_operator = 500;  // predicates that a larger action adds are in no invariant
};

// Actions without a reachable instance are ignored.
std::vector<Invariant> find_invariants(const lifted::Task& lifted, const propositional::Task& task, Budget& watch,
                                       const Limits& limits = {});

}  // namespace fsplan::invariants
