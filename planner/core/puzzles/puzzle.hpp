// What the puzzles' state spaces share. A puzzle has two graphs, one for small and one for large instances, of which a space
// holds one; `heuristics(graph, name)` is the heuristic of that name.
#pragma once

#include <variant>
#include <vector>

#include "puzzles/packed.hpp"
#include "puzzles/without_guide.hpp"
#include "search/dispatch.hpp"
#include "state_space.hpp"

namespace fsplan {

template <class Graphs, class Heuristics>
SearchResult search_puzzle(Graphs& graphs, const Heuristics& heuristics, const SearchRequest& request) {
    const auto search = [&](auto& graph) {
        auto heuristic = heuristics(graph, request.heuristic);
        return run_search(graph, heuristic, request);
    };
    return std::visit(search, graphs);
}

template <class Graphs, class Heuristics>
ExploredGraph explore_puzzle(Graphs& graphs, const Heuristics& heuristics, const std::string& name, std::size_t most,
                             WorkWatch& watch) {
    const auto enumerate = [&](auto& graph) {
        if (name.empty()) return explore(graph, static_cast<Blind*>(nullptr), most, watch);
        auto heuristic = heuristics(graph, name);
        return explore(graph, &heuristic, most, watch);
    };
    return std::visit(enumerate, graphs);
}

template <class Graphs>
std::vector<Successor> puzzle_successors(const Graphs& graphs, std::span<const std::int32_t> values) {
    std::vector<Successor> found;
    const auto list = [&](const auto& graph) {
        using State = typename std::decay_t<decltype(graph)>::State;
        graph.successors(pack<State>(values), [&](ActionId action, Cost cost, State state) {
            std::vector<std::int32_t> there(values.size());
            unpack(state, std::span(there));
            found.push_back({action, cost, std::move(there)});
        });
    };
    std::visit(list, graphs);
    return found;
}

template <class Graphs, class Heuristics>
StateSpace::Estimator puzzle_estimator(Graphs& graphs, const Heuristics& heuristics, const std::string& name) {
    const auto make = [&](auto& graph) -> StateSpace::Estimator {
        using State = typename std::decay_t<decltype(graph)>::State;
        return [heuristic = heuristics(graph, name)](std::span<const std::int32_t> values) mutable {
            return heuristic.evaluate(pack<State>(values)).h;
        };
    };
    return std::visit(make, graphs);
}

template <class Graphs, class Heuristics>
Evaluated evaluate_puzzle(Graphs& graphs, const Heuristics& heuristics, const std::string& name,
                          std::span<const std::int32_t> values) {
    const auto evaluate = [&](auto& graph) {
        auto heuristic = heuristics(graph, name);
        return heuristic.evaluate(pack<typename std::decay_t<decltype(graph)>::State>(values));
    };
    return {std::visit(evaluate, graphs), {}};
}

template <class Graphs>
bool is_puzzle_goal(const Graphs& graphs, std::span<const std::int32_t> values) {
    const auto test = [&](const auto& graph) {
        return graph.is_goal(pack<typename std::decay_t<decltype(graph)>::State>(values));
    };
    return std::visit(test, graphs);
}

template <class Graphs>
std::size_t puzzle_state_bytes(const Graphs& graphs) {
    return std::visit([](const auto& graph) { return sizeof(graph.start()); }, graphs);
}

}  // namespace fsplan
