// Chooses the finite-domain variables: which atoms share a variable.
#pragma once

#include "instantiate/propositional.hpp"
#include "invariants/mutex.hpp"

namespace fsplan {

inline constexpr std::uint32_t kNoVariable = ~std::uint32_t{0};
inline constexpr std::uint32_t kNoTwin = ~std::uint32_t{0};

// Per atom: whether it can influence the goal; irrelevant atoms get no variable.
std::vector<std::uint8_t> relevant_atoms(const propositional::Task& task,
                                         const std::vector<std::uint8_t>& needed_rules);

// Every variable has one value per member, in the order of the members, and a last value for "none of those".
struct Variables {
    Rows members;                         // variable -> its atoms
    std::vector<std::uint32_t> variable;  // atom -> its variable, or kNoVariable
    std::vector<std::uint32_t> value;     // per atom
    std::vector<std::uint32_t> twin;      // atom -> an atom that is true iff this one is false, or kNoTwin

    std::uint32_t none(std::uint32_t v) const { return static_cast<std::uint32_t>(members[v].size()); }
};

// `exact` must be the result of exactly_one(task, groups): the groups of which one atom is always true.
Variables choose_variables(const propositional::Task& task, const MutexGroups& groups,
                           const std::vector<std::uint8_t>& exact, const std::vector<std::uint8_t>& wanted);

}  // namespace fsplan
