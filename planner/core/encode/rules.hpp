// Finds redundant rules of derived atoms.
#pragma once

#include "instantiate/propositional.hpp"

namespace fsplan {

// Per rule 1, or 0 if its body contains its head or the body of another rule for the same head.
std::vector<std::uint8_t> needed_rules(const propositional::Task& task);

}  // namespace fsplan
