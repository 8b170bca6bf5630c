// What the searches ask of every heuristic and a puzzle's has not: guides, helpful actions.
#pragma once

#include <span>

#include "heuristic.hpp"

namespace fsplan {

struct WithoutGuide {
    static std::span<const ActionId> helpful() { return {}; }
    static void want_guide(bool) {}
    static HeuristicProperties properties() { return {.admissible = true, .consistent = true}; }
};

struct Blind : WithoutGuide {
    template <class State>
    static Evaluation evaluate(const State&) {
        return {0, 0};
    }
    template <class State>
    static Evaluation evaluate_child(const State&, Cost, ActionId, const State&) {
        return {0, 0};
    }
};

}  // namespace fsplan
