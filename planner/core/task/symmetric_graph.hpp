// The graph of a ground task up to symmetry: states that differ by swaps of interchangeable objects are merged
// (symmetries.hpp). Goal distances are those of the task. The actions of a state are its own; their successors are
// representatives.
#pragma once

#include <algorithm>
#include <vector>

#include "task/ground_graph.hpp"
#include "task/symmetries.hpp"

namespace fsplan {

class SymmetricGraph {
public:
    using State = GroundGraph::State;
    using Store = GroundGraph::Store;

    // The graph must outlive the object.
    SymmetricGraph(GroundGraph& graph, Budget& watch)
        : graph_(graph), symmetries_(graph.task(), graph.layout(), watch), start_(graph.layout().stored_words),
          successor_(start_) {
        std::copy_n(graph.start(), start_.size(), start_.data());
        symmetries_.normalise(start_.data());
    }

    Store make_store() const { return graph_.make_store(); }
    State start() const { return start_.data(); }
    bool is_goal(State state) { return graph_.is_goal(state); }
    std::size_t action_count() const { return graph_.action_count(); }
    std::size_t width() const { return graph_.width(); }
    void values(State state, std::span<std::int32_t> out) { graph_.values(state, out); }

    template <class Emit>
    void successors(State state, Emit&& emit) {
        graph_.successors(state, [&](ActionId action, Cost cost, State successor) {
            std::copy_n(successor, successor_.size(), successor_.data());
            symmetries_.normalise(successor_.data());
            emit(action, cost, static_cast<State>(successor_.data()));
        });
    }

private:
    GroundGraph& graph_;
    Symmetries symmetries_;
    std::vector<Word> start_, successor_;
};

static_assert(Graph<SymmetricGraph>);

}  // namespace fsplan
