// The part of a search that depends on the types of graph and heuristic: states are generated, registered and evaluated
// here. It is compiled once per pair of these types. Searches of puzzles spend most of their time here, so one virtual
// call generates all successors of a state, and there are no virtual calls inside it.
#pragma once

#include "containers/store.hpp"
#include "search/below_frontier.hpp"
#include "search/depth_first.hpp"
#include "search/evaluation.hpp"
#include "search/search_space.hpp"
#include "search/steps.hpp"

namespace fsplan {

// Cost of a sequence of actions from the initial state; throws if one is not applicable or the last state is not a
// goal.
template <Graph G>
Cost cost_of_plan(G& graph, const std::vector<ActionId>& plan) {
    auto store = graph.make_store();
    StateId at = store.intern(graph.start()).id;
    std::int64_t total = 0;
    for (const ActionId wanted : plan) {
        StateId next = kNoState;
        graph.successors(store.hold(at), [&](ActionId action, Cost cost, const typename G::State& state) {
            if (action != wanted || next != kNoState) return;
            next = store.intern(state).id;
            total += cost;
        });
        if (next == kNoState) throw std::invalid_argument("the known plan has an action that is not applicable");
        at = next;
    }
    if (!graph.is_goal(store.hold(at))) throw std::invalid_argument("the known plan does not reach a goal");
    if (total >= kInfinite) throw std::overflow_error(kPlansTooExpensive);
    return static_cast<Cost>(total);
}

template <Graph G, HeuristicFor<G> H>
class SearchedGraph final : public SearchSpace, public Evaluator {
public:
    using State = typename G::State;
    using Store = typename G::Store;

    SearchedGraph(G& graph, H& heuristic, const SearchRequest& request, GuideDemand demand)
        : SearchSpace(request), Evaluator(*this, heuristic.properties(), demand), graph_(graph), heuristic_(heuristic),
          store_(graph.make_store()) {
        lists_ahead_ = kStatesAreValues;
        if constexpr (requires { heuristic_.work(); }) count_work(kWorkOfAction * graph.action_count());
        heuristic_.want_guide(guide_wanted_);
    }

    // Overrides of SearchSpace

    std::size_t action_count() const override { return graph_.action_count(); }
    std::size_t width() const override { return graph_.width(); }
    bool is_goal(StateId id) override { return graph_.is_goal(store_.hold(id)); }
    void values(StateId id, std::span<std::int32_t> out) override { graph_.values(store_.hold(id), out); }
    std::size_t bytes() const override { return store_.bytes() + nodes_.bytes(); }
    Cost plan_cost(const std::vector<ActionId>& plan) override {
        if constexpr (kMergesStates) return cost_of_plan(graph_.graph_of_task(), plan);
        else return cost_of_plan(graph_, plan);
    }
    Edge take(StateId id, ActionId action, FirstValues first_values) override {
        const State parent = store_.hold(id);
        if constexpr (kGeneratesOne) {
            const State child = graph_.successor(parent, action);
            return registered({id, parent, action, graph_.cost(action), child}, first_values);
        } else {
            if (listed_of_ != id) SearchedGraph::generate_labels(id);
            const auto has_action = [&](const Edge& edge) { return edge.action == action; };
            const auto at = std::ranges::find_if(generated_, has_action);
            const State child = listed_state(static_cast<std::size_t>(at - generated_.begin()));
            return registered({id, parent, action, at->cost, child}, first_values);
        }
    }
    std::vector<ActionId> plan_of_task(std::vector<ActionId> path) override {
        if constexpr (kMergesStates) return graph_.plan_of_task(std::move(path));
        else return path;
    }
    bool is_expanded(StateId id) override {
        bool expanded = true;
        graph_.successors(store_.hold(id), [&](ActionId, Cost cost, const State& child) {
            expanded = expanded && has_node_within(child, std::int64_t{nodes_[id].g} + cost);
        });
        return expanded;
    }
    std::unique_ptr<DepthFirstPasses> depth_first_passes(Statistics& counts, bool inlined) override {
        if constexpr (!CheapStates<G>) {
            return nullptr;
        } else {
            if constexpr (requires { heuristic_.chosen(); }) {
                const auto passes = [&](auto& chosen) { return passes_by(chosen, counts); };
                if (inlined) return std::visit(passes, heuristic_.chosen());
            }
            return passes_by(heuristic_, counts);
        }
    }
    std::unique_ptr<Steps> below_frontier(Run& run) override {
        return steps_of<BelowFrontier<SearchedGraph>>(run, *this);
    }

    // Overrides of Evaluator

    StateId add_start() override {
        announce(0, kNoState);
        const State start = graph_.start();
        const StateId id = store_.intern(start).id;
        nodes_.push_back(evaluated_node(heuristic_.evaluate(start)));
        nodes_[id].g = 0;
        if (nodes_[id].status() == NodeStatus::unreached) nodes_[id].become(NodeStatus::open);
        return id;
    }

    // Functions that BelowFrontier uses

    G& graph() { return graph_; }
    // Valid until the next call of hold.
    State hold(StateId id) { return store_.hold(id); }
    // Whether the state has been reached by a path of at most this cost, or is a known dead end. (If memory ran out in
    // between, a state is registered but has no node.)
    bool has_node_within(const State& state, std::int64_t g) const {
        const StateId id = store_.find(state);
        if (id == kNoState || id >= nodes_.size()) return false;
        return nodes_[id].status() == NodeStatus::dead || nodes_[id].g <= g;
    }
    Cost h_without_node(const State& state) {
        ++statistics_.evaluated;
        announce(kNoState, kNoState);
        return heuristic_.evaluate(state).h;
    }

private:
    // Whether states are values; otherwise a state is a pointer to words that the next successor overwrites.
    static constexpr bool kStatesAreValues = !std::is_pointer_v<State>;
    // Whether the graph generates the successor by one action without the others.
    static constexpr bool kGeneratesOne = requires(G& graph, const State& state, ActionId action) {
        graph.labels(state, [](ActionId, Cost) {});
        graph.successor(state, action);
        graph.cost(action);
    };
    // Whether states are merged up to symmetry (task/symmetric_graph.hpp).
    static constexpr bool kMergesStates = requires(G& graph) { graph.graph_of_task(); };

    struct Listed {
        State state;  // valid only if states are values
        std::uint64_t hash;
    };
    // A successor that has just been registered and has no node yet.
    struct Generated {
        StateId parent;
        const State& parent_state;
        ActionId action;
        Cost cost;
        const State& state;
    };

    // All successors are collected before the first is registered, so that the memory for their registration is
    // prefetched.
    void generate(StateId id, FirstValues first_values) override {
        SearchedGraph::generate_labels(id);
        SearchedGraph::generate_listed(id, first_values);
    }
    void generate_labels(StateId id) override {
        generated_.clear();
        listed_.clear();
        words_.clear();
        listed_of_ = id;
        graph_.successors(store_.hold(id), [&](ActionId action, Cost cost, const State& state) {
            generated_.push_back({action, cost, kNoState});
            listed_.push_back({state, store_.prefetch(state)});
            if constexpr (!kStatesAreValues) std::copy_n(state, store_.words(), words_.extend(store_.words()));
        });
    }
    void collect_labels(StateId id) override {
        if constexpr (kGeneratesOne) {
            generated_.clear();
            graph_.labels(store_.hold(id),
                          [&](ActionId action, Cost cost) { generated_.push_back({action, cost, kNoState}); });
        } else {
            SearchedGraph::generate_labels(id);
        }
    }
    Edge registered(const Generated& next, FirstValues first_values) {
        return {next.action, next.cost, node_of(next, first_values, store_.prefetch(next.state))};
    }
    void generate_listed(StateId id, FirstValues first_values) override {
        const State parent = store_.hold(id);
        for (std::size_t i = 0; i < listed_.size(); ++i) {
            Edge& edge = generated_[i];
            const State state = listed_state(i);
            edge.child = node_of({id, parent, edge.action, edge.cost, state}, first_values, listed_[i].hash);
        }
    }
    State listed_state(std::size_t i) const {
        if constexpr (kStatesAreValues) return listed_[i].state;
        else return words_.data() + i * store_.words();
    }
    Edge tree_edge(StateId parent, StateId child) override {
        const Cost difference = nodes_[child].g - nodes_[parent].g;
        Edge exact{kNoAction, kInfinite, child};
        Edge cheapest = exact;
        graph_.successors(store_.hold(parent), [&](ActionId action, Cost cost, const State& state) {
            if (store_.find(state) != child) return;
            if (cost == difference && exact.action == kNoAction) exact = {action, cost, child};
            if (cost < cheapest.cost) cheapest = {action, cost, child};
        });
        if (cheapest.action == kNoAction) throw std::logic_error("the successors of a state have changed");
        return exact.action == kNoAction || nodes_[parent].is_open() ? cheapest : exact;
    }
    template <class Heuristic>
    std::unique_ptr<DepthFirstPasses> passes_by(Heuristic& heuristic, Statistics& counts) {
        return std::make_unique<DepthFirst<SearchSpace, G, Heuristic>>(*this, graph_, heuristic, counts,
                                                                       graph_.start());
    }

    [[gnu::always_inline]] StateId node_of(const Generated& next, FirstValues first_values, std::uint64_t hash) {
        ++statistics_.generated;
        const Interned child = store_.intern(next.state, hash);
        if (child.is_new) nodes_.push_back(first_node(next, first_values));
        return child.id;
    }
    [[gnu::always_inline]] Node first_node(const Generated& child, FirstValues first_values) {
        if (first_values == FirstValues::at_generation) [[likely]]
            return evaluated_child(child);
        return first_values == FirstValues::on_surfacing ? inheriting_child(child) : cheap_child(child);
    }
    [[gnu::always_inline]] Node evaluated_child(const Generated& child) {
        tick();
        if (demand_ == GuideDemand::on_demand) want_guide_after(child.parent, child.action);
        const Cost parent_h = nodes_[child.parent].h();
        announce(static_cast<StateId>(size()), child.parent);
        return evaluated_node(heuristic_.evaluate_child(child.parent_state, parent_h, child.action, child.state));
    }
    [[gnu::always_inline]] Node evaluated_node(const Evaluation& evaluation) {
        const Node node = counted(Node(evaluation.h));
        if (guide_wanted_) records_.add(evaluation, heuristic_.helpful());
        else if (demand_ == GuideDemand::on_demand) records_.add_unknown();
        return node;
    }
    [[gnu::noinline]] Node inheriting_child(const Generated& child) {
        if (demand_ == GuideDemand::all) records_.add_borrowed(child.parent);
        else if (demand_ == GuideDemand::on_demand) records_.add_unknown();
        return Node(inherited_h(child), true);
    }
    [[gnu::noinline]] Node cheap_child(const Generated& child) {
        if (!SearchedGraph::has_cheap_evaluation()) return evaluated_child(child);
        tick();
        announce(static_cast<StateId>(size()), child.parent);
        const Evaluation evaluation = cheap_evaluation(child.state);
        records_.add(evaluation, heuristic_.helpful());
        return counted(Node(std::max(inherited_h(child), evaluation.h), true));
    }
    Cost inherited_h(const Generated& child) const { return std::max(0, nodes_[child.parent].h() - child.cost); }
    [[gnu::always_inline]] Node counted(Node node) {
        ++statistics_.evaluated;
        if (node.h() == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics_.dead_ends;
        }
        return node;
    }

    Evaluation ask(StateId id) override {
        announce(id);
        return heuristic_.evaluate(store_.hold(id));
    }
    Evaluation ask_cheaply(StateId id) override {
        announce(id);
        return cheap_evaluation(store_.hold(id));
    }
    bool has_cheap_evaluation() const override {
        if constexpr (CheapHeuristicFor<H, G>) return heuristic_.has_cheap_evaluation();
        return false;
    }
    std::span<const ActionId> helpful_of_last() override { return heuristic_.helpful(); }
    void tell_guide_wanted(bool on) override { heuristic_.want_guide(on); }
    std::uint64_t counted_work() const override {
        std::uint64_t work = 0;
        if constexpr (requires { heuristic_.work(); }) work += heuristic_.work();
        if constexpr (requires { graph_.work(); }) work += graph_.work();
        return work;
    }
    Evaluation cheap_evaluation(const State& state) {
        if constexpr (CheapHeuristicFor<H, G>) {
            if (heuristic_.has_cheap_evaluation()) return heuristic_.evaluate_cheaply(state);
        }
        return heuristic_.evaluate(state);
    }
    void announce(StateId id) { announce(id, nodes_[id].has_parent() ? nodes_[id].parent() : kNoState); }
    void announce(StateId id, StateId parent) {
        if constexpr (PathHeuristic<H>) heuristic_.set_node(id, parent);
    }

    G& graph_;
    H& heuristic_;
    Store store_;
    FlatArray<Listed> listed_;      // children of the edges in generated_
    StateId listed_of_ = kNoState;  // node whose edges were listed last
    // If states are pointers: the words of the listed children, in the same order.
    FlatArray<std::remove_cvref_t<std::remove_pointer_t<State>>> words_;
};

}  // namespace fsplan
