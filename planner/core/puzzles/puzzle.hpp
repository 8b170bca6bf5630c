// Definitions of the members of PuzzleStateSpace; the .cpp of each puzzle includes this file and instantiates them.
#pragma once

#include "puzzles/packed.hpp"
#include "puzzles/state_spaces.hpp"
#include "puzzles/without_guide.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

template <class Graph>
using StateOf = typename std::decay_t<Graph>::State;

inline SearchResult no_plan() {
    SearchResult result;
    result.status = Status::unsolvable;
    result.lower_bound = kInfinite;
    return result;
}

template <class Puzzle, template <class> class GraphOf>
SearchResult PuzzleStateSpace<Puzzle, GraphOf>::search(const SearchRequest& request) {
    if (!puzzle().is_solvable()) return no_plan();
    const auto search = [&](auto& graph) {
        auto heuristic = heuristics_of(puzzle())(graph, request.heuristic);
        return run_search(graph, heuristic, request);
    };
    return std::visit(search, graph_);
}

template <class Puzzle, template <class> class GraphOf>
ExploredGraph PuzzleStateSpace<Puzzle, GraphOf>::explore(const std::string& name, std::size_t max_states,
                                                         Budget& watch) {
    const auto enumerate = [&](auto& graph) {
        if (name.empty()) return fsplan::explore(graph, static_cast<Blind*>(nullptr), max_states, watch);
        auto heuristic = heuristics_of(puzzle())(graph, name);
        return fsplan::explore(graph, &heuristic, max_states, watch);
    };
    return std::visit(enumerate, graph_);
}

template <class Puzzle, template <class> class GraphOf>
std::vector<std::int32_t> PuzzleStateSpace<Puzzle, GraphOf>::domain_sizes() const {
    return std::vector<std::int32_t>(width(), static_cast<std::int32_t>(width()));
}

template <class Puzzle, template <class> class GraphOf>
std::vector<Successor> PuzzleStateSpace<Puzzle, GraphOf>::successors(std::span<const std::int32_t> values) {
    puzzle().check(values);
    std::vector<Successor> found;
    const auto list = [&](const auto& graph) {
        using State = StateOf<decltype(graph)>;
        graph.successors(pack<State>(values), [&](ActionId action, Cost cost, State state) {
            std::vector<std::int32_t> there(values.size());
            unpack(state, std::span(there));
            found.push_back({action, cost, std::move(there)});
        });
    };
    std::visit(list, graph_);
    return found;
}

template <class Puzzle, template <class> class GraphOf>
bool PuzzleStateSpace<Puzzle, GraphOf>::is_goal(std::span<const std::int32_t> values) {
    puzzle().check(values);
    return std::visit([&](const auto& graph) { return graph.is_goal(pack<StateOf<decltype(graph)>>(values)); }, graph_);
}

template <class Puzzle, template <class> class GraphOf>
Evaluated PuzzleStateSpace<Puzzle, GraphOf>::evaluate(const std::string& name, std::span<const std::int32_t> values) {
    puzzle().check(values);
    const auto evaluate = [&](auto& graph) {
        return heuristics_of(puzzle())(graph, name).evaluate(pack<StateOf<decltype(graph)>>(values));
    };
    return {std::visit(evaluate, graph_), {}};
}

template <class Puzzle, template <class> class GraphOf>
StateSpace::Estimator PuzzleStateSpace<Puzzle, GraphOf>::estimator(const std::string& name) {
    const auto make = [&](auto& graph) -> Estimator {
        using State = StateOf<decltype(graph)>;
        return [heuristic = heuristics_of(puzzle())(graph, name)](std::span<const std::int32_t> values) mutable {
            return heuristic.evaluate(pack<State>(values)).h;
        };
    };
    return std::visit(make, graph_);
}

template <class Puzzle, template <class> class GraphOf>
std::size_t PuzzleStateSpace<Puzzle, GraphOf>::bytes_per_state() const {
    return std::visit([](const auto& graph) { return sizeof(graph.start()); }, graph_);
}

}  // namespace fsplan
