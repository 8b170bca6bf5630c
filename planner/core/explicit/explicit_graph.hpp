// A graph given by arrays: for tests, and for spaces that have been enumerated.
#pragma once

#include "containers/store.hpp"
#include "contract/heuristic.hpp"
#include "contract/policy.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

struct ExplicitEdge {
    std::uint32_t from;
    ActionId action;
    Cost cost;
    std::uint32_t to;
};

class ExplicitGraph {
public:
    using State = std::uint32_t;
    using Store = ValueStore<State>;
    static constexpr bool cheap_states = true;

    ExplicitGraph(std::size_t states, std::size_t actions, State start, std::vector<bool> goals,
                  std::vector<ExplicitEdge> edges)
        : actions_(actions), start_(start), goals_(std::move(goals)), edges_(std::move(edges)), begin_(states + 1, 0) {
        if (start >= states || goals_.size() != states) throw std::invalid_argument("start or goals out of range");
        std::ranges::stable_sort(edges_, [](const ExplicitEdge& left, const ExplicitEdge& right) {
            return left.from != right.from ? left.from < right.from : left.action < right.action;
        });
        for (const ExplicitEdge& edge : edges_) {
            if (edge.from >= states || edge.to >= states) throw std::invalid_argument("an edge leaves the graph");
            if (edge.action >= actions) throw std::invalid_argument("an edge has an unknown action");
            if (edge.cost < 0 || edge.cost == kDeadEnd) throw std::invalid_argument("costs must be in 0 .. 2^31 - 2");
            ++begin_[edge.from + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    }

    Store make_store() const { return {}; }
    State start() const { return start_; }
    bool is_goal(State state) const { return goals_[state]; }
    template <class Emit>
    void successors(State state, Emit emit) const {
        for (std::size_t i = begin_[state]; i < begin_[state + 1]; ++i)
            emit(edges_[i].action, edges_[i].cost, edges_[i].to);
    }
    std::size_t action_count() const { return actions_; }
    std::size_t width() const { return 1; }
    void values(State state, std::span<std::int32_t> out) const { out[0] = static_cast<std::int32_t>(state); }
    std::size_t state_count() const { return goals_.size(); }

private:
    std::size_t actions_;
    State start_;
    std::vector<bool> goals_;
    std::vector<ExplicitEdge> edges_;  // by state, then action
    std::vector<std::size_t> begin_;
};

// A heuristic given by a table, with optional guides and helpful actions.
class HeuristicTable {
public:
    HeuristicTable(std::vector<Cost> h, std::vector<Cost> guides, std::vector<std::vector<ActionId>> helpful,
                   HeuristicProperties properties)
        : h_(std::move(h)), guides_(std::move(guides)), helpful_(std::move(helpful)), properties_(properties) {
        if (guides_.empty()) guides_ = h_;
        helpful_.resize(h_.size());
        for (auto& actions : helpful_) std::ranges::sort(actions);
        if (guides_.size() != h_.size()) throw std::invalid_argument("as many guides as states are needed");
        if (!h_.empty() && *std::ranges::min_element(h_) < 0) throw std::invalid_argument("h must not be negative");
        properties_.finds_dead_ends = true;
        for (std::size_t state = 0; state < h_.size(); ++state)
            if (guides_[state] == kDeadEnd && h_[state] != kDeadEnd) properties_.finds_dead_ends = false;
    }

    HeuristicProperties properties() const { return properties_; }
    Evaluation evaluate(std::uint32_t state) {
        last_ = state;
        return {h_[state], guides_[state]};
    }
    Evaluation evaluate_child(std::uint32_t, Cost, ActionId, std::uint32_t state) { return evaluate(state); }
    std::span<const ActionId> helpful() const { return helpful_[last_]; }
    void want_guide(bool) {}

private:
    std::vector<Cost> h_;
    std::vector<Cost> guides_;
    std::vector<std::vector<ActionId>> helpful_;
    HeuristicProperties properties_;
    std::uint32_t last_ = 0;
};

// A policy given by a table of log-probabilities, state by action.
class TablePolicy final : public Policy {
public:
    TablePolicy(std::vector<float> table, std::size_t actions, std::size_t batch)
        : table_(std::move(table)), actions_(actions), batch_(batch) {}

    void score(const PolicyBatch& batch) override {
        for (std::size_t i = 0; i < batch.size; ++i)
            for (std::size_t edge = batch.edges_begin[i]; edge < batch.edges_begin[i + 1]; ++edge)
                batch.log_probabilities[edge] =
                    at(static_cast<std::size_t>(batch.values[i * batch.width]), batch.actions[edge]);
    }
    std::size_t preferred_batch() const override { return batch_; }

private:
    float at(std::size_t state, ActionId action) const {
        const std::size_t place = state * actions_ + action;
        return action < actions_ && place < table_.size() ? table_[place] : kLogZero;
    }

    std::vector<float> table_;
    std::size_t actions_;
    std::size_t batch_;
};

class ExplicitStateSpace final : public StateSpace {
public:
    ExplicitStateSpace(ExplicitGraph graph, HeuristicTable heuristic);

    SearchResult search(const SearchRequest& request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, Budget& watch) override {
        return fsplan::explore(graph_, heuristic.empty() ? nullptr : &heuristic_, max_states, watch);
    }
    std::size_t action_count() const override { return graph_.action_count(); }
    std::string action_name(ActionId action) const override { return std::to_string(action); }
    std::size_t width() const override { return 1; }
    std::vector<std::int32_t> domain_sizes() const override {
        return {static_cast<std::int32_t>(graph_.state_count())};
    }
    std::vector<std::int32_t> start_values() override { return {static_cast<std::int32_t>(graph_.start())}; }
    std::size_t bytes_per_state() const override { return sizeof(ExplicitGraph::State); }
    HeuristicInfos heuristics() const override { return {&kInfo}; }

private:
    static constexpr HeuristicInfo kInfo{
        .name = "table", .summary = "the values that were given with the graph", .properties = {.admissible = true}};

    ExplicitGraph graph_;
    HeuristicTable heuristic_;
};

}  // namespace fsplan
