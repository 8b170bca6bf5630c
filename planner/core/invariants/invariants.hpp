// Lifted invariants: sets of atoms with parameters of which at most one is true in every reachable state.
//
// After M. Helmert, "Concise finite-domain representations for PDDL planning tasks" (2009): a candidate is a set of
// parts, each a predicate whose arguments are the candidate's parameters and at most one counted argument. An instance
// fixes the parameters; its weight is the number of its atoms that are true. A candidate is an invariant if no action
// raises the weight of an instance: no action adds two of its atoms (too heavy), and one that adds an atom surely
// deletes another (balanced). A candidate that is not balanced is refined by a part that is deleted together with the
// add. Two things go beyond the paper. Only instances of weight at most one at the start are of use, so what needs two
// atoms of an instance to be true never happens. And an add is harmless if everything else in its instance is surely
// false afterwards: the weight may rise from 0 to 1 then, but not above.
#pragma once

#include <vector>

#include "invariants/invariant_operators.hpp"
#include "work_watch.hpp"

namespace fsplan::invariants {

struct Invariant {
    std::vector<Part> parts;
    bool never_rises;  // the weight of an instance never grows, not even from 0 to 1
};

// Refinement branches, without end where every way leads on. A seed is a candidate of a single part; where its
// candidates run out, later seeds that are part of an invariant are skipped. IPC domains other than organic synthesis
// stay far below these limits.
struct Limits {
    std::size_t candidates_per_seed = 1'000;
    std::size_t candidates = 5'000;
    std::size_t steps = 5'000'000;          // adds, or pairs of adds, looked at
    std::size_t effects_of_operator = 500;  // what an action with more effects adds is in no invariant
};

// Only actions that have a reachable instance count.
std::vector<Invariant> find_invariants(const lifted::Task& lifted, const propositional::Task& task,
                                       WorkWatch& watch, const Limits& limits = {});

}  // namespace fsplan::invariants
