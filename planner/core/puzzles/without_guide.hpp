// What the searches ask of every heuristic and a puzzle's has not: guides, helpful actions.
#pragma once

#include <span>
#include <utility>
#include <variant>

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

// One of several, told apart at every call: nothing beside the evaluation, and the searches are compiled once for all.
template <class... Heuristics>
class OneOf : public WithoutGuide {
public:
    template <class Heuristic>
    OneOf(Heuristic heuristic) : chosen_(std::move(heuristic)) {}

    template <class State>
    Evaluation evaluate(const State& state) const {
        return std::visit([&](const auto& heuristic) { return heuristic.evaluate(state); }, chosen_);
    }
    template <class State>
    Evaluation evaluate_child(const State& parent, Cost parent_h, ActionId action, const State& child) const {
        const auto evaluate = [&](const auto& heuristic) {
            return heuristic.evaluate_child(parent, parent_h, action, child);
        };
        return std::visit(evaluate, chosen_);
    }

    std::variant<Heuristics...>& chosen() { return chosen_; }

private:
    std::variant<Heuristics...> chosen_;
};

}  // namespace fsplan
