// Mutex groups: sets of atoms of which at most one is true in any reachable state.
#pragma once

#include "base/budget.hpp"
#include "instantiate/propositional.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

struct MutexGroups {
    static constexpr std::uint32_t kNever = 0;  // number of the group of all atoms that are never true
    Rows atoms;                                 // group -> its atoms, in ascending order
    Rows groups_of;                             // atom -> its groups
};

// The instances of the lifted invariants whose initial weight is at most one.
MutexGroups find_mutex_groups(const lifted::Task& lifted, const propositional::Task& task, Budget& watch);
// Per group: 1 if exactly one atom is true in every reachable state, else 0.
std::vector<std::uint8_t> exactly_one(const propositional::Task& task, const MutexGroups& groups);

MutexGroups no_mutex_groups(const propositional::Task& task);

}  // namespace fsplan
