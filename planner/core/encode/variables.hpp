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

// A variable has one value per member, in order, and one more: none of them is true.
struct Variables {
    Rows members;                         // variable -> atoms
    std::vector<std::uint32_t> variable;  // per atom, or kNoVariable
    std::vector<std::uint32_t> value;     // per atom
    std::vector<std::uint32_t> twin;      // per atom: an atom that is its negation, or kNoTwin

    std::uint32_t none(std::uint32_t v) const { return static_cast<std::uint32_t>(members[v].size()); }
};

// `exact` is exactly_one(task, groups).
Variables choose_variables(const propositional::Task& task, const MutexGroups& groups,
                           const std::vector<std::uint8_t>& exact, const std::vector<std::uint8_t>& wanted);

}  // namespace fsplan
