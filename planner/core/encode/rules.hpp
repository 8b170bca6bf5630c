// Finds redundant rules of derived atoms.
#pragma once

#include "instantiate/propositional.hpp"

namespace fsplan {

// rule -> 1 if it is needed, 0 if its body contains its head or the whole body of another rule for the same head.
std::vector<std::uint8_t> needed_rules(const propositional::Task& task);

}  // namespace fsplan
