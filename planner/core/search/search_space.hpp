// The part of the graph that a search has seen: states, one node per state, and the tree by which they were reached.
//
// Invariants. g(parent) + cost <= g(child) for every tree edge (only strict improvements are accepted, so parents never
// form a cycle). Consider a state p that is closed, and its child c; then a cheaper path to p is found. Until p is expanded
// again, c's g is more than the tree path to c costs: this is why plan() adds up the costs along the path.
// While cheaper paths re-open closed nodes, some open node lies on an optimal path with its optimal g, so with an
// admissible h the least f = g + h over the open nodes is a lower bound, whatever was expanded, in whatever order.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "containers/array.hpp"
#include "containers/store.hpp"
#include "limits.hpp"
#include "request.hpp"
#include "search/edges.hpp"
#include "search/node.hpp"

namespace fsplan {

inline constexpr const char* kPlansTooExpensive =
    "every plan, if there is one, costs 2^31 - 1 or more: scale the costs down";

// States that are values can be collected first, so that the memory their registration will touch is on its way.
template <class S, class State>
concept PrefetchingStore = requires(S store, const State& state) { store.intern(state, store.prefetch(state)); };

// A state that has just been registered as a successor; its node is about to be made.
template <class State>
struct Generated {
    StateId parent;
    const State& parent_state;
    ActionId action;
    Cost cost;
    const State& state;
};

template <Graph G>
class SearchSpace {
public:
    using State = typename G::State;
    using Store = typename G::Store;
    static constexpr bool kListsAhead = PrefetchingStore<typename G::Store, State>;

    SearchSpace(G& graph, bool reopen, Watch& watch)
        : graph_(graph), watch_(watch), store_(graph.make_store()), reopen_(reopen) {}

    G& graph() { return graph_; }
    Node& operator[](StateId id) { return nodes_[id]; }
    const Node& operator[](StateId id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }
    // Valid until the next call of hold.
    State hold(StateId id) { return store_.hold(id); }
    bool is_goal(StateId id) { return graph_.is_goal(store_.hold(id)); }
    void values(StateId id, std::span<std::int32_t> out) { graph_.values(store_.hold(id), out); }
    Statistics& statistics() { return statistics_; }
    const Statistics& statistics() const { return statistics_; }
    std::size_t bytes() const { return store_.bytes() + nodes_.bytes(); }

    // first_node(state) makes the node.
    template <class FirstNode>
    StateId add_start(FirstNode first_node) {
        const State start = graph_.start();
        const StateId id = store_.intern(start).id;
        nodes_.push_back(first_node(start));
        nodes_[id].g = 0;
        if (nodes_[id].status() == NodeStatus::unreached) nodes_[id].become(NodeStatus::open);
        return id;
    }

    // Calls visit(Edge) for every edge out of the node. States seen for the first time get the node that
    // first_node(Generated) makes: evaluated, or with a first estimate (evaluation.hpp).
    template <class FirstNode, class Visit>
    void expand(StateId id, FirstNode first_node, Visit visit) {
        if constexpr (kListsAhead) {
            list(id, [](ActionId, Cost) {});
            expand_listed(id, first_node, visit);
        } else {
            begin_expansion(id);
            const State parent = store_.hold(id);
            graph_.successors(parent, [&](ActionId action, Cost cost, const State& state) {
                visit(Edge{action, cost, meet({id, parent, action, cost, state}, first_node)});
            });
            expanding_ = kNoState;
        }
    }
    // The same in two steps: the labels of the edges, visit(ActionId, Cost), then the edges. The memory that the second
    // step will touch is on its way in between.
    template <class Visit>
    void list(StateId id, Visit visit)
        requires kListsAhead
    {
        begin_expansion(id);
        listed_.clear();
        graph_.successors(store_.hold(id), [&](ActionId action, Cost cost, const State& state) {
            listed_.push_back({action, cost, state, store_.prefetch(state)});
            visit(action, cost);
        });
    }
    template <class FirstNode, class Visit>
    void expand_listed(StateId id, FirstNode first_node, Visit visit)
        requires kListsAhead
    {
        const State parent = store_.hold(id);
        for (const Listed& next : listed_)
            visit(Edge{next.action, next.cost,
                       meet({id, parent, next.action, next.cost, next.state}, first_node, next.hash)});
        expanding_ = kNoState;
    }
    // The labels alone, without registering anything.
    template <class Visit>
    void labels(StateId id, Visit visit) {
        graph_.successors(store_.hold(id), [&](ActionId action, Cost cost, const State&) { visit(action, cost); });
    }

    // Whether the edge makes the child cheaper.
    bool improves(StateId parent, const Edge& edge) const {
        const Node& child = nodes_[edge.child];
        return child.status() != NodeStatus::dead && (child.g == kDeadEnd || child.g - edge.cost > nodes_[parent].g);
    }
    // Takes the edge into the tree if it makes the child cheaper; then the child is open.
    bool relax(StateId parent, const Edge& edge) {
        if (!improves(parent, edge)) return false;
        Node& child = nodes_[edge.child];
        const std::int64_t g = std::int64_t{nodes_[parent].g} + edge.cost;
        if (is_out_of_range(g + child.h())) return false;
        if (child.status() == NodeStatus::closed) {
            if (!reopen_) {
                ignored_ = true;
                return false;
            }
            ++statistics_.reopened;
        }
        child.g = static_cast<Cost>(g);
        child.set_parent(parent);
        child.become(NodeStatus::open);
        return true;
    }

    // Paths that cost 2^31 - 1 or more are left out: every plan found, and every bound, is less. Where nothing else is
    // left, this does not prove that there is no plan.
    bool is_out_of_range(std::int64_t f) {
        if (f < kDeadEnd) return false;
        left_out_ = true;
        return true;
    }
    bool left_out() const { return left_out_; }
    // No cheaper path to a closed node has been ignored: the least f of the open nodes is still a bound.
    bool bound_valid() const { return !ignored_; }

    // A node whose edges are yet to be relaxed, for least_open_f.
    void keep_open(StateId id) { expanding_ = id; }
    // The least f of the open nodes; kDeadEnd if there are none. A node whose expansion was cut short counts as open.
    Cost least_open_f() const {
        Cost least = expanding_ == kNoState ? kDeadEnd : nodes_[expanding_].f();
        for (const Node& node : nodes_)
            if (node.is_open()) least = std::min(least, node.f());
        return least;
    }

    // Whether the state has been reached by a path of at most this cost, or is known to be a dead end. (Where memory was used
    // up in between, a state has been registered but has no node.)
    bool has_node_within(const State& state, std::int64_t g) const {
        const StateId id = store_.find(state);
        if (id == kNoState || id >= nodes_.size()) return false;
        return nodes_[id].status() == NodeStatus::dead || nodes_[id].g <= g;
    }
    // Whether every edge out of the node has been relaxed.
    bool is_expanded(StateId id) {
        bool expanded = true;
        graph_.successors(store_.hold(id), [&](ActionId, Cost cost, const State& child) {
            expanded = expanded && has_node_within(child, std::int64_t{nodes_[id].g} + cost);
        });
        return expanded;
    }

    // Forgets all paths: only the start is open. Nodes keep what is known about their states.
    StateId restart() {
        for (Node& node : nodes_)
            if (node.status() != NodeStatus::dead) node.forget_path();
        nodes_[0].g = 0;
        nodes_[0].become(NodeStatus::open);
        return 0;
    }

    // The actions to the node, and what they cost together.
    Incumbent plan(StateId id) {
        Incumbent found{{}, 0, 0};
        for (; nodes_[id].has_parent(); id = nodes_[id].parent()) {
            const Edge edge = tree_edge(nodes_[id].parent(), id);
            found.plan.push_back(edge.action);
            found.cost += edge.cost;
        }
        std::reverse(found.plan.begin(), found.plan.end());
        return found;
    }

private:
    struct Listed {
        ActionId action;
        Cost cost;
        State state;
        std::uint64_t hash;
    };

    [[gnu::always_inline]] void begin_expansion(StateId id) {
        expanding_ = id;
        watch_.before_expansion(statistics_);
        ++statistics_.expanded;
        if (watch_.is_observed()) [[unlikely]] show_expansion(id);
    }
    [[gnu::noinline]] void show_expansion(StateId id) {
        const Node& node = nodes_[id];
        Expansion expansion{};
        expansion.number = statistics_.expanded;
        expansion.state = id;
        expansion.parent = node.has_parent() ? node.parent() : kNoState;
        expansion.action = node.has_parent() ? tree_edge(node.parent(), id).action : kNoAction;
        expansion.g = node.g;
        expansion.h = node.h();
        expansion.values.resize(graph_.width());
        values(id, expansion.values);
        watch_.show(std::move(expansion));
    }

    template <class FirstNode, class... Hash>
    [[gnu::always_inline]] StateId meet(const Generated<State>& next, FirstNode& first_node, Hash... hash) {
        ++statistics_.generated;
        const Interned child = store_.intern(next.state, hash...);
        if (child.is_new) nodes_.push_back(first_node(next));
        return child.id;
    }

    // The edge that relax took: the first that makes up the difference in g; or, if the parent has become cheaper since,
    // the first of the cheapest, as all its edges were relaxed.
    Edge tree_edge(StateId parent, StateId child) {
        const Cost difference = nodes_[child].g - nodes_[parent].g;
        Edge exact{kNoAction, kDeadEnd, child};
        Edge cheapest = exact;
        graph_.successors(store_.hold(parent), [&](ActionId action, Cost cost, const State& state) {
            if (store_.find(state) != child) return;
            if (cost == difference && exact.action == kNoAction) exact = {action, cost, child};
            if (cost < cheapest.cost) cheapest = {action, cost, child};
        });
        if (cheapest.action == kNoAction) throw std::logic_error("the successors of a state have changed");
        return exact.action == kNoAction || nodes_[parent].is_open() ? cheapest : exact;
    }

    G& graph_;
    Watch& watch_;
    typename G::Store store_;
    FlatArray<Node> nodes_;
    FlatArray<Listed> listed_;
    Statistics statistics_;
    bool reopen_;
    bool ignored_ = false;
    bool left_out_ = false;
    StateId expanding_ = kNoState;
};

}  // namespace fsplan
