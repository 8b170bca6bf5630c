// Simplifies the effects of one ground action: effects that never change a state are removed.
#pragma once

#include "instantiate/residual.hpp"

namespace fsplan {

struct GroundEffect {
    propositional::Literal literal;
    Conjunction condition;
    auto operator<=>(const GroundEffect&) const = default;
};

// Removes from the condition what the precondition implies; returns false if the effect cannot happen.
inline bool restrict_to(const Conjunction& precondition, GroundEffect& effect) {
    auto& condition = effect.condition;
    for (auto literal : condition)
        if (contains(precondition, literal ^ 1)) return false;
    std::erase_if(condition, [&](auto literal) { return contains(precondition, literal); });
    return true;
}

inline bool unconditional(std::span<const GroundEffect> effects) {
    return !effects.empty() && effects.front().condition.empty();
}

class EffectSimplifier {
public:
    // The sorted effects of an action with this precondition; literals that the precondition implies are removed from
    // their conditions. Valid until the next call.
    std::span<const GroundEffect> simplify(const Conjunction& precondition, const std::vector<GroundEffect>& effects) {
        possible_.clear();
        for (const auto& effect : effects) {
            possible_.push_back(effect);
            if (!restrict_to(precondition, possible_.back())) possible_.pop_back();
        }
        std::ranges::sort(possible_);
        kept_.clear();
        for (std::size_t begin = 0; begin < possible_.size();) {
            auto add = possible_[begin].literal & ~propositional::Literal{1};
            auto deletes = begin;
            while (deletes < possible_.size() && possible_[deletes].literal == add) ++deletes;
            auto end = deletes;
            while (end < possible_.size() && possible_[end].literal == (add | 1)) ++end;
            resolve(precondition, Part(possible_).subspan(begin, deletes - begin),
                    Part(possible_).subspan(deletes, end - deletes));
            begin = end;
        }
        return kept_;
    }

private:
    using Part = std::span<const GroundEffect>;

    // Keeps those add and delete effects on one atom that can change a state; both lists are sorted by condition.
    void resolve(const Conjunction& precondition, Part adds, Part deletes) {
        auto add = adds.empty() ? deletes.front().literal ^ 1 : adds.front().literal;
        if (unconditional(adds)) adds = adds.first(1), deletes = {};
        if (unconditional(deletes)) deletes = deletes.first(1);
        if (!deletes.empty() || !contains(precondition, add))
            for (const auto& effect : adds)
                if (!deletes.empty() || !contains(effect.condition, add)) keep(effect);
        if (contains(precondition, add ^ 1)) return;
        for (const auto& effect : deletes) {
            bool undone = std::ranges::any_of(
                adds, [&](const GroundEffect& other) { return other.condition == effect.condition; });
            if (!undone && !contains(effect.condition, add ^ 1)) keep(effect);
        }
    }
    void keep(const GroundEffect& effect) {
        if (kept_.empty() || kept_.back() != effect) kept_.push_back(effect);
    }

    std::vector<GroundEffect> possible_;
    std::vector<GroundEffect> kept_;
};

}  // namespace fsplan
