// Base classes of the puzzles' heuristics. These have no guides and no helpful actions, and all are admissible and consistent.
// Each heuristic is a class with a member `info`, its declaration; a puzzle lists its heuristics once, in a HeuristicList.
#pragma once

#include "contract/heuristic.hpp"

namespace fsplan {

struct WithoutGuide {
    static std::span<const ActionId> helpful() { return {}; }
    static void want_guide(bool) {}
    static HeuristicProperties properties() { return {.admissible = true}; }
};

struct Blind : WithoutGuide {
    static constexpr HeuristicInfo info{
        .name = "blind", .summary = "0 everywhere", .properties = {.admissible = true}, .consistent = true};

    Blind() = default;
    template <class Anything>
    explicit Blind(const Anything&) {}

    template <class State>
    static Evaluation evaluate(const State&) {
        return {0, 0};
    }
    template <class State>
    static Evaluation evaluate_child(const State&, Cost, ActionId, const State&) {
        return {0, 0};
    }
};

// One of several heuristics, chosen at run time. The choice takes negligible time per evaluation, and searches are
// compiled only once for all of them.
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

// The list of the heuristics of a puzzle; the first one is the default.
template <class... Heuristics>
struct HeuristicList {
    static HeuristicInfos infos() { return {&Heuristics::info...}; }

    // Constructs the heuristic with this name from the argument. The type Chosen is OneOf<Heuristics...>.
    template <class Chosen, class Argument>
    static Chosen make(const std::string& name, const Argument& argument) {
        std::optional<Chosen> made;
        (void)(... || (name == Heuristics::info.name && (made.emplace(Heuristics(argument)), true)));
        if (!made)
            throw std::invalid_argument("no heuristic '" + name + "'; choose one of " + heuristic_names(infos()));
        return std::move(*made);
    }
};

}  // namespace fsplan
