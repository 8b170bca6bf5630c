// What a heuristic owes the searches. Puzzles pass concrete types (their heuristics are incremental and take
// nanoseconds); grounded tasks pass GroundHeuristic (heuristics/ground_heuristic.hpp), whose virtual call is lost in microseconds.
#pragma once

#include <concepts>
#include <span>

#include "graph.hpp"

namespace fsplan {

struct HeuristicProperties {
    bool admissible;
    bool consistent;
    bool finds_dead_ends = false;  // h is kDeadEnd wherever the guide is
};

// h is what orders OPEN and proves bounds. guide is an inadmissible estimate of the cost to go (h_FF) that falls out of
// the same exploration; heuristics without one return h. Both are kDeadEnd at a dead end they can detect.
// steps is the number of actions that the guide stands for, where it is known.
struct Evaluation {
    Cost h;
    Cost guide;
    Cost steps = -1;
};

// evaluate_child may use the parent's value and the action (incremental puzzles) or ignore them.
// helpful() lists the preferred operators of the state evaluated last, ascending; empty where there are none.
// want_guide(on) says whether guide and helpful() of the evaluations to come will be read.
// A heuristic that gives guide and helpful() for much less than h may have quick(state) -> Evaluation, whose h is
// admissible too but weaker, and is_quick(), which says whether it does.
template <class H, class G>
concept HeuristicFor = requires(H heuristic, const typename G::State& state, Cost parent_h, ActionId action, bool on) {
    { heuristic.properties() } -> std::same_as<HeuristicProperties>;
    { heuristic.evaluate(state) } -> std::same_as<Evaluation>;
    { heuristic.evaluate_child(state, parent_h, action, state) } -> std::same_as<Evaluation>;
    { heuristic.helpful() } -> std::convertible_to<std::span<const ActionId>>;
    heuristic.want_guide(on);
};

template <class H, class G>
concept QuickHeuristicFor = requires(H heuristic, const typename G::State& state) {
    { heuristic.quick(state) } -> std::same_as<Evaluation>;
    { heuristic.is_quick() } -> std::same_as<bool>;
};

}  // namespace fsplan
