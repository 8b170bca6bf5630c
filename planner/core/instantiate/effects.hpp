// Simplifies the effects of one ground action: effects that never change a state are removed.
#pragma once

#include <span>
#include <vector>

#include "instantiate/residual.hpp"

namespace fsplan {

struct GroundEffect {
    propositional::Literal literal;
    Conjunction condition;
    auto operator<=>(const GroundEffect&) const = default;
};

class EffectSimplifier {
public:
    // The sorted effects of an action with this precondition; literals that the precondition implies are removed from
    // their conditions. Valid until the next call.
    std::span<const GroundEffect> simplify(const Conjunction& precondition, const std::vector<GroundEffect>& effects);

private:
    using Part = std::span<const GroundEffect>;

    void resolve(const Conjunction& precondition, Part adds, Part deletes);
    void keep(const GroundEffect& effect);

    std::vector<GroundEffect> possible_;
    std::vector<GroundEffect> kept_;
};

}  // namespace fsplan
