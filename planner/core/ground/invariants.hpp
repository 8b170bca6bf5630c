// Lifted invariants: sets of atoms with parameters of which at most one is true in every reachable state.
//
// After M. Helmert, "Concise finite-domain representations for PDDL planning tasks" (2009): a candidate is a set of
// parts, each a predicate whose arguments are the candidate's parameters and at most one counted argument. An instance
// fixes the parameters; its weight is the number of its atoms that are true. A candidate is an invariant if no action
// raises the weight of an instance: no action adds two of its atoms (too heavy), and one that adds an atom surely deletes
// another (balanced). A candidate that is not balanced is refined by a part that is deleted together with the add.
// Beyond the paper, an add is also harmless if everything else in its instance is surely false afterwards; then the
// weight may rise from 0 to 1, but not above.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/lifted.hpp"
#include "ground/propositional.hpp"

namespace fsplan::invariants {

struct Part {
    std::int32_t predicate;
    std::int32_t counted;                 // argument position, or -1
    std::vector<std::int32_t> positions;  // parameter -> argument position

    bool operator==(const Part&) const = default;
};

// Parts ascend by predicate, of which each occurs once; the parameters are numbered as in the first part.
using Invariant = std::vector<Part>;

struct Found {
    Invariant invariant;
    bool never_rises;  // the weight of an instance never grows, not even from 0 to 1
};

struct Limits {
    std::size_t candidates = 100'000;
};

// Only actions that have a reachable instance count.
std::vector<Found> find_invariants(const lifted::Task& lifted, const propositional::Task& task, const Limits& limits = {});

}  // namespace fsplan::invariants
