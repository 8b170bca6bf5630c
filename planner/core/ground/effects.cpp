#include "ground/effects.hpp"

#include <algorithm>
#include <span>

namespace fsplan {

namespace {

using Effects = std::vector<GroundEffect>;
using Part = std::span<GroundEffect>;

// False if the effect cannot happen.
bool restrict_to(const Conjunction& precondition, GroundEffect& effect) {
    auto& condition = effect.condition;
    for (auto literal : condition)
        if (contains(precondition, literal ^ 1)) return false;
    std::erase_if(condition, [&](auto literal) { return contains(precondition, literal); });
    return true;
}

bool unconditional(Part effects) { return !effects.empty() && effects.front().condition.empty(); }

// Adds and deletes of one atom, each sorted by condition.
void resolve(const Conjunction& precondition, Part adds, Part deletes, Effects& result) {
    auto add = adds.empty() ? deletes.front().literal ^ 1 : adds.front().literal;
    if (unconditional(adds)) adds = adds.first(1), deletes = {};
    if (unconditional(deletes)) deletes = deletes.first(1);
    auto keep = [&](const GroundEffect& effect) {
        if (result.empty() || result.back() != effect) result.push_back(effect);
    };
    if (!deletes.empty() || !contains(precondition, add))
        for (const auto& effect : adds)
            if (!deletes.empty() || !contains(effect.condition, add)) keep(effect);
    if (contains(precondition, add ^ 1)) return;
    for (const auto& effect : deletes) {
        bool undone = std::any_of(adds.begin(), adds.end(), [&](const auto& other) { return other.condition == effect.condition; });
        if (!undone && !contains(effect.condition, add ^ 1)) keep(effect);
    }
}

}  // namespace

void simplify_effects(const Conjunction& precondition, const Effects& effects, Effects& result) {
    Effects possible;
    for (const auto& effect : effects) {
        possible.push_back(effect);
        if (!restrict_to(precondition, possible.back())) possible.pop_back();
    }
    std::sort(possible.begin(), possible.end());
    result.clear();
    for (std::size_t begin = 0; begin < possible.size();) {
        auto atom = possible[begin].literal >> 1;
        auto deletes = begin;
        while (deletes < possible.size() && possible[deletes].literal == 2 * atom) ++deletes;
        auto end = deletes;
        while (end < possible.size() && possible[end].literal == 2 * atom + 1) ++end;
        resolve(precondition, Part(possible).subspan(begin, deletes - begin), Part(possible).subspan(deletes, end - deletes),
                result);
        begin = end;
    }
}

}  // namespace fsplan
