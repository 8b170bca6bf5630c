// The state space of a task that was not grounded (see spaces/state_space.hpp). An action gets its number when it is
// first generated as an applicable action of a state.
#pragma once

#include "spaces/state_space.hpp"
#include "ungrounded/lifted_graph.hpp"

namespace fsplan {

class LiftedStateSpace final : public StateSpace {
public:
    LiftedStateSpace(lifted::Task task, const Budget& watch, bool merge_twins)
        : graph_(std::move(task), watch, merge_twins) {}

    SearchResult search(const SearchRequest& request) override;
    std::size_t action_count() const override { return graph_.action_count(); }
    std::string action_name(ActionId action) const override { return task().action_name(action); }
    std::size_t width() const override { return graph_.width(); }
    std::vector<std::int32_t> domain_sizes() const override { return task().domain_size; }
    std::vector<std::int32_t> start_values() override { return task().initial; }
    std::vector<Successor> successors(std::span<const std::int32_t> values) override;
    bool is_goal(std::span<const std::int32_t> values) override { return graph_.is_goal(packed(values).data()); }
    std::string state_name(std::span<const std::int32_t> values) const override;
    std::size_t bytes_per_state() const override { return graph_.layout().stored_words * sizeof(Word); }
    HeuristicInfos heuristics() const override;

    const GroundTask& task() const { return graph_.task(); }
    bool costs_differ() const { return graph_.costs_differ(); }

private:
    std::vector<Word> packed(std::span<const std::int32_t> values) const;

    LiftedGraph graph_;
};

}  // namespace fsplan
