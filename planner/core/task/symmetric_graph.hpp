// The graph of a ground task up to symmetry: states that differ by swaps of interchangeable objects are merged
// (symmetries.hpp). A search that runs on it is an orbit space search (Domshlak, Katz and Shleyfman 2015): it registers
// one representative instead of all states of an orbit. The alternative, to keep each state as it was reached and to
// look up its representative, needs a second state per node.
//
// Every search that is correct on a labelled graph is correct here, too. Let r(t) = σ(t) be the representative of t,
// and h* the cost to go in the task.
//   Bounds   h*(r(t)) = h*(t), because σ maps plans from t to plans from σ(t) of the same cost. So goal distances are
//            those of the task: a path t0, t1, … of the task has the image r(t0), r'(t1), …, in which each state is a
//            swap of the task's state, and has the same cost. A heuristic that is admissible in every state of the task
//            is admissible here, also if its values differ within an orbit. It need not be consistent.
//   Plans    Let s be the state that the task is in, and ρ the swaps with ρ(s) = u, the search's state. If the search
//            applies a to u, the task applies ρ⁻¹(a) to s, which has the same cost and leads to ρ⁻¹(a(u)). If τ are
//            the swaps that lead from a(u) to its representative, then τρ takes the place of ρ (plan_of_task).
//   Pruning  Safe actions stay safe (safe_actions.hpp): the swap of a safe action is safe, and a swap changes only which
//            variables are final, not how many.
// The applicable actions of a representative are those that it has in the task; their successors are replaced by
// representatives.
#pragma once

#include "task/ground_graph.hpp"
#include "task/symmetries.hpp"

namespace fsplan {

class SymmetricGraph {
public:
    using State = GroundGraph::State;
    using Store = GroundGraph::Store;

    // The graph must outlive the object.
    SymmetricGraph(GroundGraph& graph, Symmetries symmetries)
        : graph_(graph), symmetries_(std::move(symmetries)), swaps_after_(symmetries_.swaps_after(graph.task())),
          start_(graph.layout().stored_words), successor_(start_) {
        std::copy_n(graph.start(), start_.size(), start_.data());
        symmetries_.normalise(start_.data());
    }

    Store make_store() const { return graph_.make_store(); }
    State start() const { return start_.data(); }
    bool is_goal(State state) { return graph_.is_goal(state); }
    std::size_t action_count() const { return graph_.action_count(); }
    std::size_t width() const { return graph_.width(); }
    void values(State state, std::span<std::int32_t> out) { graph_.values(state, out); }

    // The state is a representative: no swap makes it smaller. So only the swaps of variables that an action changes can
    // make its successor smaller.
    template <class Emit>
    void successors(State state, Emit&& emit) {
        graph_.successors(state, [&](ActionId action, Cost cost, State successor) {
            const std::size_t first = symmetries_.first_lowering(swaps_after_[action], successor);
            if (first == symmetries_.swaps().size()) return emit(action, cost, successor);
            std::copy_n(successor, successor_.size(), successor_.data());
            symmetries_.normalise(successor_.data(), first);
            emit(action, cost, static_cast<State>(successor_.data()));
        });
    }

    // Work of finding representatives.
    std::uint64_t work() const { return symmetries_.work(); }

    GroundGraph& graph_of_task() { return graph_; }
    // Translates a path of this graph from its initial state to a plan of the task.
    std::vector<ActionId> plan_of_task(std::vector<ActionId> path) {
        std::vector<ActionId> image(action_count());  // ρ⁻¹: action of the search's state -> action of the task's state
        std::iota(image.begin(), image.end(), ActionId{0});
        const auto applied = [&](const Symmetries::Swap& swap) {
            for (const auto& [left, right] : swap.actions) std::swap(image[left], image[right]);
        };
        std::vector<Word> state(graph_.start(), graph_.start() + start_.size());
        symmetries_.normalise(state.data(), applied);
        for (ActionId& action : path) {
            const State successor = graph_.successor(state.data(), action);
            if (successor == nullptr) throw std::logic_error("the path has an action that is not applicable");
            action = image[action];
            state.assign(successor, successor + state.size());
            symmetries_.normalise(state.data(), applied);
        }
        return path;
    }

private:
    GroundGraph& graph_;
    Symmetries symmetries_;
    Rows swaps_after_;  // action -> swaps of variables that it changes
    std::vector<Word> start_, successor_;
};

static_assert(Graph<SymmetricGraph>);

}  // namespace fsplan
