// Enumerates all states that are reachable from the initial state, and computes h* of every state.
//
//     ExploredGraph explored = explore(graph, &heuristic, max_states, watch);     // nullptr: without h
// State s has the edges edges_begin[s] to edges_begin[s + 1] - 1, in ascending order of action ids. States are numbered
// in the order of breadth-first search; the initial state is 0.
#pragma once

#include "base/budget.hpp"
#include "contract/graph.hpp"
#include "contract/heuristic.hpp"

namespace fsplan {

struct ExploredGraph {
    std::vector<std::uint32_t> edges_begin{0};
    std::vector<StateId> target;
    std::vector<ActionId> action;
    std::vector<Cost> cost;
    std::vector<std::uint8_t> goal;  // per state
    std::vector<Cost> h;             // per state (kDeadEnd: a detected dead end); empty without a heuristic
    std::vector<Cost> h_star;        // per state; kDeadEnd if no goal can be reached
    std::size_t width = 0;
    std::function<void(StateId, std::span<std::int32_t>)> values;  // reads the explored graph, which must still exist

    std::size_t size() const { return goal.size(); }
};

// Thrown if the graph has more states than allowed.
struct TooManyStates : std::length_error {
    explicit TooManyStates(std::size_t limit)
        : std::length_error("more than " + std::to_string(limit) + " states are reachable") {}
};

// Computes h* by Dijkstra's algorithm over the reversed edges, beginning with all goal states.
std::vector<Cost> costs_to_go(const ExploredGraph& graph);

template <Graph G, class H>
ExploredGraph explore(G& graph, H* heuristic, std::size_t max_states, Budget& watch) {
    auto store = std::make_shared<typename G::Store>(graph.make_store());
    ExploredGraph result;
    store->intern(graph.start());
    for (StateId id = 0; id < store->size(); ++id) {
        watch.tick();
        auto state = store->hold(id);
        result.goal.push_back(graph.is_goal(state));
        if (heuristic != nullptr) result.h.push_back(heuristic->evaluate(state).h);
        graph.successors(state, [&](ActionId action, Cost cost, const typename G::State& successor) {
            result.target.push_back(store->intern(successor).id);
            result.action.push_back(action);
            result.cost.push_back(cost);
        });
        if (store->size() > max_states) throw TooManyStates(max_states);
        result.edges_begin.push_back(static_cast<std::uint32_t>(result.target.size()));
    }
    result.h_star = costs_to_go(result);
    result.width = graph.width();
    result.values = [store, &graph](StateId id, std::span<std::int32_t> out) { graph.values((*store)[id], out); };
    return result;
}

}  // namespace fsplan
