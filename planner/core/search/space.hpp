// The part of the graph a search has seen: states, one node each, and how it is reached.
//
// Invariants: g(parent) + cost <= g(child) for every tree edge (strict improvements only, so parents never form a
// cycle); the parent may have become cheaper since, so a path's cost is summed again when a plan is read off.
// While cheaper paths re-open closed nodes, some open node lies on an optimal path with its optimal g, so with an
// admissible h the least f = g + h over the open nodes is a lower bound, whatever was expanded, in whatever order.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "array.hpp"
#include "heuristic.hpp"
#include "limits.hpp"
#include "queues.hpp"
#include "request.hpp"
#include "store.hpp"
#include "weight.hpp"

namespace fsplan {

enum class NodeStatus : std::uint8_t { fresh, open, closed, dead };

inline constexpr ActionId kActionLimit = (ActionId{1} << 29) - 1;

struct Node {
    Cost g = kDeadEnd;
    Cost h = 0;
    StateId parent = kNoState;
    std::uint32_t action : 29 = kActionLimit;
    std::uint32_t inherited : 1 = 0;  // h is only what the parent's h implies, or a quick evaluation
    std::uint32_t bits : 2 = 0;

    NodeStatus status() const { return static_cast<NodeStatus>(bits); }
    void become(NodeStatus status) { bits = static_cast<std::uint32_t>(status); }
    bool is_open() const { return status() == NodeStatus::open; }
    // Saturates: a state not yet reached, or a dead end, has f = kDeadEnd.
    Cost f() const { return static_cast<Cost>(std::min(std::int64_t{g} + h, std::int64_t{kDeadEnd})); }
};
static_assert(sizeof(Node) == 16);

inline void check_cost(std::int64_t f) {
    if (f >= kDeadEnd) throw std::overflow_error("a path costs 2^31 - 1 or more: scale the costs down");
}

struct Edge {
    ActionId action;
    Cost cost;
    StateId child;
};

// What the evaluation of a state says beyond h; kept only for searches and policies that ask.
class Guidance {
public:
    void add(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        guides_.push_back(evaluation.guide);
        steps_.push_back(steps_of(evaluation));
        begins_.push_back(store(helpful));
    }
    void set(StateId id, const Evaluation& evaluation, std::span<const ActionId> helpful) {
        guides_[id] = evaluation.guide;
        steps_[id] = steps_of(evaluation);
        begins_[id] = store(helpful);
    }
    Cost guide(StateId id) const { return guides_[id]; }
    Cost steps(StateId id) const { return steps_[id]; }
    std::span<const ActionId> helpful(StateId id) const {
        const ActionId* list = lists_.data() + begins_[id];
        return {list + 1, list[0]};
    }
    std::size_t bytes() const { return guides_.bytes() + steps_.bytes() + begins_.bytes() + lists_.bytes(); }

private:
    static Cost steps_of(const Evaluation& evaluation) {
        return evaluation.steps < 0 ? evaluation.guide : evaluation.steps;
    }
    // Lists are kept as their length and their members; the first is empty and shared.
    std::uint32_t store(std::span<const ActionId> helpful) {
        if (lists_.empty()) lists_.push_back(0);
        if (helpful.empty()) return 0;
        const auto begin = static_cast<std::uint32_t>(lists_.size());
        lists_.push_back(static_cast<std::uint32_t>(helpful.size()));
        for (const ActionId action : helpful) lists_.push_back(action);
        return begin;
    }

    FlatArray<Cost> guides_;
    FlatArray<Cost> steps_;
    FlatArray<std::uint32_t> begins_;
    FlatArray<std::uint32_t> lists_;
};

// States that are values can be collected first, so that the memory their registration will touch is on its way.
template <class S, class State>
concept PrefetchingStore = requires(const S& store, const State& state) { store.prefetch(state); };

template <Graph G, HeuristicFor<G> H>
class Space {
public:
    using State = typename G::State;

    Space(G& graph, H& heuristic, const SearchRequest& request, Watch& watch, bool guided)
        : graph_(graph), heuristic_(heuristic), watch_(watch), store_(graph.make_store()), guided_(guided),
          reopen_(request.reopen) {
        if (graph.action_count() > kActionLimit) throw std::invalid_argument("more than 2^29 - 1 actions");
        heuristic_.want_guide(guided);
    }

    G& graph() { return graph_; }
    Node& operator[](StateId id) { return nodes_[id]; }
    const Node& operator[](StateId id) const { return nodes_[id]; }
    const FlatArray<Node>& nodes() const { return nodes_; }
    std::size_t size() const { return nodes_.size(); }
    Cost guide(StateId id) const { return guidance_.guide(id); }
    Cost steps(StateId id) const { return guidance_.steps(id); }
    std::span<const ActionId> helpful(StateId id) const { return guidance_.helpful(id); }
    bool is_goal(StateId id) { return graph_.is_goal(store_.hold(id)); }
    void values(StateId id, std::span<std::int32_t> out) { graph_.values(store_.hold(id), out); }
    bool admissible() const { return heuristic_.properties().admissible; }
    Statistics& statistics() { return statistics_; }
    // No cheaper path to a closed node has been ignored: the least f of the open nodes is still a bound.
    bool bound_valid() const { return !ignored_; }
    std::size_t bytes() const { return store_.bytes() + nodes_.bytes() + guidance_.bytes(); }

    StateId add_start() {
        const State start = graph_.start();
        const StateId id = store_.intern(start).id;
        add(heuristic_.evaluate(start));
        nodes_[id].g = 0;
        if (nodes_[id].status() == NodeStatus::fresh) nodes_[id].become(NodeStatus::open);
        return id;
    }

    // Calls visit(Edge) for every edge out of the node; children seen for the first time are evaluated.
    template <class Visit>
    void expand(StateId id, Visit visit) {
        begin_expansion(id);
        const State parent = store_.hold(id);
        const Cost parent_h = nodes_[id].h;
        const auto meet = [&](ActionId action, Cost cost, const State& state) {
            ++statistics_.generated;
            const Interned child = store_.intern(state);
            if (child.is_new) {
                watch_.tick(statistics_);
                add(heuristic_.evaluate_child(parent, parent_h, action, state));
            }
            visit(Edge{action, cost, child.id});
        };
        if constexpr (PrefetchingStore<typename G::Store, State>) {
            met_.clear();
            graph_.successors(parent, [&](ActionId action, Cost cost, const State& state) {
                store_.prefetch(state);
                met_.push_back({action, cost, state});
            });
            for (const Successor& next : met_) meet(next.action, next.cost, next.state);
        } else {
            graph_.successors(parent, meet);
        }
        expanding_ = kNoState;
    }
    // The same, but new children are not evaluated: they inherit what the parent's h implies, and its guide.
    template <class Visit>
    void expand_lazily(StateId id, Visit visit) {
        begin_expansion(id);
        graph_.successors(store_.hold(id), [&](ActionId action, Cost cost, const State& state) {
            ++statistics_.generated;
            const Interned child = store_.intern(state);
            if (child.is_new) inherit(id, cost);
            visit(Edge{action, cost, child.id});
        });
        expanding_ = kNoState;
    }
    // Evaluates a node that has only inherited values; its h may rise, or it may turn out dead.
    void evaluate(StateId id) {
        nodes_[id].inherited = 0;
        take(id, heuristic_.evaluate(store_.hold(id)));
    }
    // The guide, the helpful actions, and what h comes with them for nothing.
    void evaluate_quickly(StateId id) {
        if constexpr (QuickHeuristicFor<H, G>) {
            if (heuristic_.is_quick()) return take(id, heuristic_.quick(store_.hold(id)));
        }
        evaluate(id);
    }
    // The labels alone, without registering anything.
    template <class Visit>
    void labels(StateId id, Visit visit) {
        graph_.successors(store_.hold(id), [&](ActionId action, Cost cost, const State&) { visit(action, cost); });
    }

    // Takes the edge into the tree if it makes the child cheaper; then the child is open.
    bool relax(StateId parent, const Edge& edge) {
        Node& child = nodes_[edge.child];
        const std::int64_t g = std::int64_t{nodes_[parent].g} + edge.cost;
        if (child.status() == NodeStatus::dead || (g >= child.g && child.g != kDeadEnd)) return false;
        check_cost(g + child.h);
        if (child.status() == NodeStatus::closed) {
            if (!reopen_) {
                ignored_ = true;
                return false;
            }
            ++statistics_.reopened;
        }
        child.g = static_cast<Cost>(g);
        child.parent = parent;
        child.action = edge.action;
        child.become(NodeStatus::open);
        return true;
    }

    bool is_live(const Entry& entry) const {
        const Node& node = nodes_[entry.id];
        return node.is_open() && node.g == entry.g;
    }

    // The least f of the open nodes; kDeadEnd if there are none. A node whose expansion was cut short counts as open.
    Cost least_open_f() const {
        Cost least = expanding_ == kNoState ? kDeadEnd : nodes_[expanding_].f();
        for (const Node& node : nodes_)
            if (node.is_open()) least = std::min(least, node.f());
        return least;
    }

    // The actions to the node, and what they cost together.
    Incumbent plan(StateId id) {
        Incumbent found{{}, 0, 0};
        for (; nodes_[id].parent != kNoState; id = nodes_[id].parent) {
            found.plan.push_back(nodes_[id].action);
            found.cost += edge_cost(nodes_[id].parent, nodes_[id].action, id);
        }
        std::reverse(found.plan.begin(), found.plan.end());
        return found;
    }

private:
    struct Successor {
        ActionId action;
        Cost cost;
        State state;
    };

    void begin_expansion(StateId id) {
        expanding_ = id;
        watch_.before_expansion(statistics_);
        ++statistics_.expanded;
    }

    void inherit(StateId parent, Cost cost) {
        Node node;
        node.h = std::max(0, nodes_[parent].h - cost);
        node.inherited = 1;
        nodes_.push_back(node);
        guidance_.add({0, guidance_.guide(parent), guidance_.steps(parent)}, {});
    }

    void take(StateId id, const Evaluation& evaluation) {
        watch_.tick(statistics_);
        ++statistics_.evaluated;
        guidance_.set(id, evaluation, heuristic_.helpful());
        Node& node = nodes_[id];
        if (evaluation.h == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics_.dead_ends;
        } else {
            check_cost(std::int64_t{node.g} + evaluation.h);
            node.h = std::max(node.h, evaluation.h);
        }
    }

    void add(const Evaluation& evaluation) {
        ++statistics_.evaluated;
        Node node;
        node.h = evaluation.h;
        if (evaluation.h == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics_.dead_ends;
        }
        nodes_.push_back(node);
        if (guided_) guidance_.add(evaluation, heuristic_.helpful());
    }

    Cost edge_cost(StateId parent, ActionId wanted, StateId child) {
        Cost found = kDeadEnd;
        graph_.successors(store_.hold(parent), [&](ActionId action, Cost cost, const State& state) {
            if (action == wanted && cost < found && store_.find(state) == child) found = cost;
        });
        return found;
    }

    G& graph_;
    H& heuristic_;
    Watch& watch_;
    typename G::Store store_;
    FlatArray<Node> nodes_;
    Guidance guidance_;
    std::vector<Successor> met_;
    Statistics statistics_;
    bool guided_;
    bool reopen_;
    bool ignored_ = false;
    StateId expanding_ = kNoState;
};

}  // namespace fsplan
