// The state space of a ground task (see spaces/state_space.hpp).
#pragma once

#include "heuristics/ground_heuristic.hpp"
#include "improve/plan_neighbourhood.hpp"
#include "improve/plan_structure.hpp"
#include "spaces/explore.hpp"
#include "spaces/state_space.hpp"
#include "task/ground_graph.hpp"

namespace fsplan {

class GroundStateSpace : public StateSpace {
public:
    // The task must outlive the space.
    explicit GroundStateSpace(const GroundTask& task) : task_(task) {}

    SearchResult search(const SearchRequest& request) override;
    std::unique_ptr<SearchInProgress> start(SearchRequest request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, Budget& watch) override;
    // Enumerates the states up to symmetry, without h. States that differ only by swaps of interchangeable objects have
    // one representative (task/symmetries.hpp).
    ExploredGraph explore_up_to_symmetry(std::size_t max_states, Budget& watch);
    std::size_t action_count() const override { return task_.action_count(); }
    std::string action_name(ActionId action) const override { return task_.action_name(action); }
    std::size_t width() const override { return task_.variable_count(); }
    std::vector<std::int32_t> domain_sizes() const override { return task_.domain_size; }
    std::vector<std::int32_t> start_values() override { return start_values(unlimited()); }
    std::vector<std::int32_t> start_values(Budget& watch);
    std::vector<Successor> successors(std::span<const std::int32_t> values) override;
    bool is_goal(std::span<const std::int32_t> values) override { return graph().is_goal(packed(values).data()); }
    Evaluated evaluate(const std::string& heuristic, std::span<const std::int32_t> values) override;
    std::unique_ptr<StateSpace> at(std::span<const std::int32_t> values) override;
    Estimator estimator(const std::string& heuristic) override;
    std::string identity() const override;
    std::string state_name(std::span<const std::int32_t> values) const override;
    std::size_t bytes_per_state() const override { return Layout(task_).stored_words * sizeof(Word); }
    HeuristicInfos heuristics() const override { return ground_heuristics_for(task_); }

    const GroundTask& task() const { return task_; }
    // The swaps of interchangeable objects. A swap of a with b and c with d is the list of names a, b, c, d.
    std::vector<std::vector<std::string>> swaps(Budget& watch);
    // Later searches apply safe actions first (safe_actions.hpp). This prunes plans, but an optimal plan remains.
    void take_safe_actions_first() {
        safe_actions_first_ = true;
        graph_.reset();
    }

    // Plan improvement (improve/). Plans are lists of action numbers that lead from the initial state to a goal.
    ActionSequence without_unnecessary(const ActionSequence& plan) { return structure().without_unnecessary(plan); }
    ActionSequence regrouped(const ActionSequence& plan, std::uint64_t seed) {
        return structure().regrouped(plan, seed);
    }
    std::unique_ptr<PlanNeighbourhood> neighbourhood(const ActionSequence& plan, std::size_t max_expanded) {
        return std::make_unique<PlanNeighbourhood>(structure(), graph(), plan, max_expanded);
    }
    // Work of without_unnecessary(), regrouped() and neighbourhoods so far.
    std::uint64_t work_of_improvement() { return structure().work(); }
    // The subtask of replacing the steps first to last - 1 of a plan. It leads from the state before these steps to any
    // state in which the steps from `last` on still reach the goal.
    std::unique_ptr<StateSpace> window(const ActionSequence& plan, std::size_t first, std::size_t last);

private:
    PlanStructure& structure() {
        if (!structure_) structure_.emplace(task_, graph());
        return *structure_;
    }
    std::vector<Word> packed(std::span<const std::int32_t> values);
    std::unique_ptr<GroundHeuristic> make_heuristic(const SearchRequest& request, Budget& watch);
    std::unique_ptr<GroundHeuristic> make_heuristic(const std::string& name, Budget& watch) {
        return make_ground_heuristic(name, {task_, graph(watch).layout(), watch});
    }
    // Built on first use, because callers that read only the sizes of the task do not need it.
    GroundGraph& graph(Budget& watch = unlimited()) {
        if (graph_) return *graph_;
        graph_.emplace(task_, watch);
        if (safe_actions_first_) graph_->take_safe_actions_first(watch);
        return *graph_;
    }

    const GroundTask& task_;
    bool safe_actions_first_ = false;
    std::optional<GroundGraph> graph_;
    std::optional<PlanStructure> structure_;
    std::map<std::string, std::unique_ptr<GroundHeuristic>> evaluators_;  // cache of evaluate()
};

}  // namespace fsplan
