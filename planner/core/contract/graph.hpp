// The labelled graph: the interface between state spaces and searches.
//
// A state space (grounded PDDL, a puzzle, an explicit graph, a Python object) is a class with
//   State         a small value, or a view of packed words that stays valid until the next call on the graph
//   Store         registers states (store.hpp): intern(State) -> {id, is_new}, find(State), operator[](id) -> State,
//                 and hold(id) -> a State that stays valid while others are registered
//   start()       the initial state
//   is_goal(s)    the goal test
//   successors(s, emit)   calls emit(ActionId, Cost, const State&) once for every applicable action, in ascending order
//                         of action ids
//   action_count()        number of actions; their ids are 0, 1, …, action_count() - 1
//   width(), values(s, out)   the state as width() small integers (finite-domain values, tiles by cell, …), which
//                             policies, encoders and Python read
// It is a concept, not a base class: a puzzle expands in ~160 ns, so searches make one virtual call per expansion, none
// per edge. Graphs keep scratch memory, so they are used by one search at a time and are not const.
#pragma once

#include "base/std.hpp"

namespace fsplan {

using StateId = std::uint32_t;
using ActionId = std::uint32_t;
using Cost = std::int32_t;

inline constexpr StateId kNoState = std::numeric_limits<StateId>::max();
inline constexpr ActionId kNoAction = std::numeric_limits<ActionId>::max();
// Infinite cost: cost of the incumbent while no plan is known, g of a state that has not been reached, lower bound of an
// unsolvable task.
inline constexpr Cost kInfinite = std::numeric_limits<Cost>::max();
// h of a state from which no goal can be reached; only an admissible heuristic may prune with it.
inline constexpr Cost kDeadEnd = kInfinite;

struct Interned {
    StateId id;
    bool is_new;
};

template <class S, class State>
concept StateStore = requires(S store, const S& constant, const State& state, StateId id) {
    { store.intern(state) } -> std::same_as<Interned>;
    { store.hold(id) } -> std::convertible_to<State>;
    { constant.find(state) } -> std::same_as<StateId>;
    { constant[id] } -> std::convertible_to<State>;
    { constant.size() } -> std::convertible_to<std::size_t>;
    { constant.bytes() } -> std::convertible_to<std::size_t>;
};

template <class G>
concept Graph = requires(G graph, const typename G::State& state, std::span<std::int32_t> out) {
    typename G::State;
    requires StateStore<typename G::Store, typename G::State>;
    { graph.make_store() } -> std::same_as<typename G::Store>;
    { graph.start() } -> std::convertible_to<typename G::State>;
    { graph.is_goal(state) } -> std::same_as<bool>;
    graph.successors(state, [](ActionId, Cost, const typename G::State&) {});
    { graph.action_count() } -> std::convertible_to<std::size_t>;
    { graph.width() } -> std::convertible_to<std::size_t>;
    graph.values(state, out);
};

}  // namespace fsplan
