// The effects of one ground action, without those that never change anything.
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
    // The effects of an action with this precondition, sorted; conditions lose what the precondition implies. Valid until
    // the next call.
    std::span<const GroundEffect> simplify(const Conjunction& precondition, const std::vector<GroundEffect>& effects);

private:
    using Part = std::span<const GroundEffect>;

    void resolve(const Conjunction& precondition, Part adds, Part deletes);
    void keep(const GroundEffect& effect);

    std::vector<GroundEffect> possible_;
    std::vector<GroundEffect> kept_;
};

}  // namespace fsplan
