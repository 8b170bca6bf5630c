// The declaration of a heuristic and its interface to searches. Puzzles pass concrete types: their heuristics are
// computed from the parent's value in a few nanoseconds. Ground tasks pass GroundHeuristic
// (heuristics/ground_heuristic.hpp): its virtual call is negligible beside the microseconds that an evaluation takes.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

// Properties on which searches may rely.
struct HeuristicProperties {
    bool admissible;               // h(s) <= h*(s): h proves lower bounds
    bool finds_dead_ends = false;  // h is kDeadEnd wherever the guide is
};

// The declaration of a heuristic, written beside the heuristic's code. Derived from it are the names that a task
// accepts, the default, `fsplan list heuristics`, help and docs.
struct HeuristicInfo {
    const char* name;
    const char* summary;  // one sentence
    HeuristicProperties properties;
    bool consistent = false;          // h(s) <= c(a) + h(s') for every action a from s to s'
    bool conditional_effects = true;  // supports tasks with conditional effects
    bool derived_predicates = true;   // supports tasks with derived variables
    bool expensive = false;           // evaluating a state takes much longer than generating it
    bool needs_files = false;         // needs prepared files, so it is never a default
    int strength = 0;                 // the default is the admissible heuristic of greatest strength
};

using HeuristicInfos = std::vector<const HeuristicInfo*>;

// The names in one text, such as "hmax, lmcut, blind", for messages.
inline std::string heuristic_names(const HeuristicInfos& infos) {
    std::string names;
    for (const HeuristicInfo* info : infos) names += (names.empty() ? "" : ", ") + std::string(info->name);
    return names;
}

// The strongest admissible heuristic that needs no files; if there is none, the first heuristic of the list.
inline const HeuristicInfo& strongest_heuristic(const HeuristicInfos& infos) {
    const HeuristicInfo* strongest = nullptr;
    for (const HeuristicInfo* info : infos) {
        if (!info->properties.admissible || info->needs_files) continue;
        if (strongest == nullptr || info->strength > strongest->strength) strongest = info;
    }
    return strongest != nullptr ? *strongest : *infos.front();
}

// h orders OPEN and proves bounds. guide is an inadmissible estimate of the cost to go (h_FF) that the same relaxed
// exploration yields; heuristics without one return h. Both are kDeadEnd at a dead end that they detect. steps is the
// number of actions of the relaxed plan whose cost is the guide, -1 if there is no relaxed plan.
struct Evaluation {
    Cost h;
    Cost guide;
    Cost steps = -1;
};

// evaluate_child may use the parent's value and the action (puzzles) or ignore them.
// helpful() lists the helpful actions of the state evaluated last, in ascending order.
// want_guide(on) announces whether guide and helpful() of the following evaluations will be read.
// A heuristic that computes guide and helpful() much faster than h may offer evaluate_cheaply(state), whose h is
// admissible too but weaker; has_cheap_evaluation() says whether it does.
template <class H, class G>
concept HeuristicFor = requires(H heuristic, const typename G::State& state, Cost parent_h, ActionId action, bool on) {
    { heuristic.properties() } -> std::same_as<HeuristicProperties>;
    { heuristic.evaluate(state) } -> std::same_as<Evaluation>;
    { heuristic.evaluate_child(state, parent_h, action, state) } -> std::same_as<Evaluation>;
    { heuristic.helpful() } -> std::convertible_to<std::span<const ActionId>>;
    heuristic.want_guide(on);
};

// A path-dependent heuristic: set_node(node, parent) is called before the node's state is evaluated.
template <class H>
concept PathHeuristic = requires(H heuristic, StateId id) { heuristic.set_node(id, id); };

template <class H, class G>
concept CheapHeuristicFor = requires(H heuristic, const typename G::State& state) {
    { heuristic.evaluate_cheaply(state) } -> std::same_as<Evaluation>;
    { heuristic.has_cheap_evaluation() } -> std::same_as<bool>;
};

}  // namespace fsplan
