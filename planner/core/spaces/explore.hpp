// Enumerates the graph reachable from the start into arrays, with the exact cost to go of every state.
//
//     ExploredGraph explored = explore(graph, &heuristic, max_states, watch);     // nullptr: without h
// Edges are in compressed rows: those of state s are edges_begin[s] .. edges_begin[s+1], by rising action id.
// States are numbered in the order of breadth-first search; the start is 0.
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
    std::vector<Cost> h;             // per state, or empty without a heuristic; kDeadEnd: a detected dead end
    std::vector<Cost> h_star;        // per state; kDeadEnd: no goal can be reached
    std::size_t width = 0;
    std::function<void(StateId, std::span<std::int32_t>)> values;  // reads the explored graph, which must still exist

    std::size_t size() const { return goal.size(); }
};

// Thrown if the graph has more states than allowed.
struct TooManyStates : std::length_error {
    explicit TooManyStates(std::size_t limit)
        : std::length_error("more than " + std::to_string(limit) + " states are reachable") {}
};

// h* by Dijkstra from every goal state over the reversed edges.
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
