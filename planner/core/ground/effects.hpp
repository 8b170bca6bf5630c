// The effects of one ground action, without those that never change anything.
#pragma once

#include <vector>

#include "ground/residual.hpp"

namespace fsplan {

struct GroundEffect {
    propositional::Literal literal;
    Conjunction condition;
    auto operator<=>(const GroundEffect&) const = default;
};

// Effects of an action with this precondition, sorted; conditions lose what the precondition implies.
void simplify_effects(const Conjunction& precondition, const std::vector<GroundEffect>& effects,
                      std::vector<GroundEffect>& result);

}  // namespace fsplan
