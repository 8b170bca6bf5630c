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

#include "containers/array.hpp"
#include "containers/queues.hpp"
#include "containers/store.hpp"
#include "heuristic.hpp"
#include "limits.hpp"
#include "request.hpp"
#include "search/info.hpp"
#include "weight.hpp"

namespace fsplan {

inline constexpr const char* kTooDear = "every plan, if there is one, costs 2^31 - 1 or more: scale the costs down";

enum class NodeStatus : std::uint8_t { fresh, open, closed, dead };

// The action that leads here from the parent is not kept: a plan finds it again. Numbers and flags share words, packed
// by hand: a node is made in registers and written at once, which bit-fields prevent.
class Node {
public:
    // Not yet reached.
    explicit Node(Cost h, bool inherited = false)
        : h_(stored(h) | flag(NodeStatus::fresh)), parent_(kNoParent | (inherited ? kInherited : 0)) {}

    Cost g = kDeadEnd;

    Cost h() const { return (h_ & kNoH) == kNoH ? kDeadEnd : static_cast<Cost>(h_ & kNoH); }
    void set_h(Cost h) { h_ = (h_ & ~kNoH) | stored(h); }
    NodeStatus status() const { return static_cast<NodeStatus>(h_ >> kStatusBit); }
    void become(NodeStatus status) { h_ = (h_ & kNoH) | flag(status); }
    void forget_path() {
        g = kDeadEnd;
        become(NodeStatus::fresh);
    }
    bool is_open() const { return status() == NodeStatus::open; }
    // Saturates: a state not yet reached, or a dead end, has f = kDeadEnd.
    Cost f() const { return static_cast<Cost>(std::min(std::int64_t{g} + h(), std::int64_t{kDeadEnd})); }
    bool has_parent() const { return parent() != kNoParent; }
    StateId parent() const { return parent_ & kNoParent; }
    void set_parent(StateId parent) { parent_ = (parent_ & kInherited) | parent; }
    // h is only what the parent's h implies, or a quick evaluation.
    bool inherited() const { return (parent_ & kInherited) != 0; }
    void set_evaluated() { parent_ &= kNoParent; }

private:
    static constexpr int kStatusBit = 30;
    static constexpr std::uint32_t kNoH = (std::uint32_t{1} << kStatusBit) - 1;
    static constexpr StateId kInherited = StateId{1} << 31;
    static constexpr StateId kNoParent = kInherited - 1;

    static std::uint32_t flag(NodeStatus status) { return static_cast<std::uint32_t>(status) << kStatusBit; }
    static std::uint32_t stored(Cost h) {
        // A greater h than fits is stored as the greatest that does: still a lower bound.
        return h == kDeadEnd ? kNoH : std::min(static_cast<std::uint32_t>(h), kNoH - 1);
    }

    std::uint32_t h_;
    StateId parent_;
};
static_assert(sizeof(Node) == 12);

struct Edge {
    ActionId action;
    Cost cost;
    StateId child;
};

// What the evaluation of a state says beyond h. Nodes may share a record: guide, steps, and the helpful actions after
// their number.
class Guidance {
public:
    void add_unknown() { places_.push_back(kUnknown); }
    void add_like(StateId other) { places_.push_back(places_[other]); }
    void add(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        places_.push_back(store(evaluation, helpful));
    }
    void set(StateId id, const Evaluation& evaluation, std::span<const ActionId> helpful) {
        places_[id] = store(evaluation, helpful);
    }
    bool knows(StateId id) const { return places_[id] != kUnknown; }
    Cost guide(StateId id) const { return static_cast<Cost>(records_[places_[id]]); }
    Cost steps(StateId id) const { return static_cast<Cost>(records_[places_[id] + 1]); }
    std::span<const ActionId> helpful(StateId id) const {
        const std::uint32_t* record = records_.data() + places_[id];
        return {record + 3, record[2]};
    }
    std::size_t bytes() const { return places_.bytes() + records_.bytes(); }

private:
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

    std::uint32_t store(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        if (records_.size() >= kUnknown) throw std::bad_alloc();
        const auto place = static_cast<std::uint32_t>(records_.size());
        std::uint32_t* record = records_.extend(3 + helpful.size());
        record[0] = static_cast<std::uint32_t>(evaluation.guide);
        record[1] = static_cast<std::uint32_t>(evaluation.steps < 0 ? evaluation.guide : evaluation.steps);
        record[2] = static_cast<std::uint32_t>(helpful.size());
        std::copy(helpful.begin(), helpful.end(), record + 3);
        return place;
    }

    FlatArray<std::uint32_t> places_;
    FlatArray<std::uint32_t> records_;
};

// States that are values can be collected first, so that the memory their registration will touch is on its way.
template <class S, class State>
concept PrefetchingStore = requires(S store, const State& state) { store.intern(state, store.prefetch(state)); };

template <Graph G, HeuristicFor<G> H>
class Space {
public:
    using State = typename G::State;
    static constexpr bool kListsAhead = PrefetchingStore<typename G::Store, State>;

    Space(G& graph, H& heuristic, const SearchRequest& request, Watch& watch, Guides guides)
        : graph_(graph), heuristic_(heuristic), watch_(watch), store_(graph.make_store()), guides_(guides),
          guided_now_(guides != Guides::none), reopen_(request.reopen) {
        heuristic_.want_guide(guides != Guides::none);
    }

    G& graph() { return graph_; }
    H& heuristic() { return heuristic_; }
    Node& operator[](StateId id) { return nodes_[id]; }
    const Node& operator[](StateId id) const { return nodes_[id]; }
    const FlatArray<Node>& nodes() const { return nodes_; }
    std::size_t size() const { return nodes_.size(); }
    Guides guides() const { return guides_; }
    bool knows_guide(StateId id) const { return guidance_.knows(id); }
    Cost guide(StateId id) { return guidance_of(id).guide(id); }
    Cost steps(StateId id) { return guidance_of(id).steps(id); }
    // Valid until the next guide, steps or helpful of another node.
    std::span<const ActionId> helpful(StateId id) { return guidance_of(id).helpful(id); }
    bool is_goal(StateId id) { return graph_.is_goal(store_.hold(id)); }
    void values(StateId id, std::span<std::int32_t> out) { graph_.values(store_.hold(id), out); }
    bool admissible() const { return heuristic_.properties().admissible; }
    // A node whose h is no dead end has a guide that is none.
    bool finds_dead_ends() const { return heuristic_.properties().finds_dead_ends; }
    Statistics& statistics() { return statistics_; }
    // Paths that cost 2^31 - 1 or more are left out: every plan found, and every bound, is less. Where nothing else is
    // left, that is no proof that there is no plan.
    bool is_too_dear(std::int64_t f) {
        if (f < kDeadEnd) return false;
        left_out_ = true;
        return true;
    }
    bool left_out() const { return left_out_; }
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
        if constexpr (kListsAhead) {
            list(id, [](ActionId, Cost) {});
            expand_listed(id, visit);
        } else {
            begin_expansion(id);
            const State parent = store_.hold(id);
            graph_.successors(parent, [&](ActionId action, Cost cost, const State& state) {
                visit(Edge{action, cost, meet(id, parent, action, state)});
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
        met_.clear();
        graph_.successors(store_.hold(id), [&](ActionId action, Cost cost, const State& state) {
            met_.push_back({action, cost, state, store_.prefetch(state)});
            visit(action, cost);
        });
    }
    template <class Visit>
    void expand_listed(StateId id, Visit visit)
        requires kListsAhead
    {
        const State parent = store_.hold(id);
        for (const Successor& next : met_)
            visit(Edge{next.action, next.cost, meet(id, parent, next.action, next.state, next.hash)});
        expanding_ = kNoState;
    }
    // The same, but new children are not evaluated: they inherit what the parent's h implies and, where all have one, its
    // guide.
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
    // The same, but where a quick evaluation takes much less, new children then have that one.
    template <class Visit>
    void expand_quickly(StateId id, Visit visit) {
        if (!is_quick()) return expand(id, visit);
        const std::size_t known = nodes_.size();
        expand_lazily(id, visit);
        for (std::size_t child = known; child < nodes_.size(); ++child) evaluate_quickly(static_cast<StateId>(child));
    }
    // Evaluates a node that has only inherited values; its h may rise, or it may turn out dead.
    void evaluate(StateId id) {
        nodes_[id].set_evaluated();
        const bool guided = guides_ == Guides::all || (guides_ == Guides::on_demand && !guidance_.knows(id));
        want_guide(guided);
        const Evaluation evaluation = heuristic_.evaluate(store_.hold(id));
        if (guided) guidance_.set(id, evaluation, heuristic_.helpful());
        take(id, evaluation);
    }
    // The guide, the helpful actions, and what h comes with them for nothing.
    void evaluate_quickly(StateId id) {
        if (!is_quick()) nodes_[id].set_evaluated();
        take(id, find_guidance(id));
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
        if (is_too_dear(g + child.h())) return false;
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

    bool is_live(const Entry& entry) const {
        const Node& node = nodes_[entry.id];
        return node.is_open() && node.g == entry.g;
    }

    // A node whose edges are yet to be relaxed, for least_open_f.
    void keep_open(StateId id) { expanding_ = id; }
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
        for (; nodes_[id].has_parent(); id = nodes_[id].parent()) {
            const Edge edge = tree_edge(nodes_[id].parent(), id);
            found.plan.push_back(edge.action);
            found.cost += edge.cost;
        }
        std::reverse(found.plan.begin(), found.plan.end());
        return found;
    }

private:
    struct Successor {
        ActionId action;
        Cost cost;
        State state;
        std::uint64_t hash;
    };

    void begin_expansion(StateId id) {
        expanding_ = id;
        watch_.before_expansion(statistics_);
        ++statistics_.expanded;
        helpful_copied_ = false;
    }

    // Registers a successor and evaluates it if it is new.
    template <class... Hash>
    StateId meet(StateId parent_id, const State& parent, ActionId action, const State& state, Hash... hash) {
        ++statistics_.generated;
        const Interned child = store_.intern(state, hash...);
        if (child.is_new) {
            watch_.tick(statistics_);
            if (guides_ == Guides::on_demand) want_guide_after(action);
            add(heuristic_.evaluate_child(parent, nodes_[parent_id].h(), action, state));
        }
        return child.id;
    }

    void inherit(StateId parent, Cost cost) {
        nodes_.push_back(Node(std::max(0, nodes_[parent].h() - cost), true));
        if (guides_ == Guides::all) guidance_.add_like(parent);
        else if (guides_ == Guides::on_demand) guidance_.add_unknown();
    }

    void take(StateId id, const Evaluation& evaluation) {
        watch_.tick(statistics_);
        ++statistics_.evaluated;
        Node& node = nodes_[id];
        if (evaluation.h == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics_.dead_ends;
        } else {
            node.set_h(std::max(node.h(), evaluation.h));
            if (node.g != kDeadEnd && is_too_dear(std::int64_t{node.g} + node.h())) node.forget_path();
        }
    }

    void add(const Evaluation& evaluation) {
        ++statistics_.evaluated;
        Node node(evaluation.h);
        if (evaluation.h == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics_.dead_ends;
        }
        nodes_.push_back(node);
        if (guided_now_) guidance_.add(evaluation, heuristic_.helpful());
        else if (guides_ == Guides::on_demand) guidance_.add_unknown();
    }

    const Guidance& guidance_of(StateId id) {
        if (!guidance_.knows(id)) {
            want_guide(true);
            const bool undecided = nodes_[id].inherited() && nodes_[id].status() == NodeStatus::fresh;
            undecided ? evaluate_quickly(id) : void(find_guidance(id));
        }
        return guidance_;
    }
    Evaluation find_guidance(StateId id) {
        const Evaluation evaluation = quickest(id);
        guidance_.set(id, evaluation, heuristic_.helpful());
        return evaluation;
    }
    bool is_quick() const {
        if constexpr (QuickHeuristicFor<H, G>) return heuristic_.is_quick();
        return false;
    }
    Evaluation quickest(StateId id) {
        if constexpr (QuickHeuristicFor<H, G>) {
            if (is_quick()) return heuristic_.quick(store_.hold(id));
        }
        return heuristic_.evaluate(store_.hold(id));
    }
    void copy_helpful(StateId id) {
        const auto helpful = this->helpful(id);
        helpful_.assign(helpful.begin(), helpful.end());
        helpful_copied_ = true;
    }
    // On demand: a successor by a helpful action will be asked for its guide, the others seldom.
    void want_guide_after(ActionId action) {
        if (!helpful_copied_) copy_helpful(expanding_);
        want_guide(std::binary_search(helpful_.begin(), helpful_.end(), action));
    }
    void want_guide(bool on) {
        if (guided_now_ != on) heuristic_.want_guide(on);
        guided_now_ = on;
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
    H& heuristic_;
    Watch& watch_;
    typename G::Store store_;
    FlatArray<Node> nodes_;
    Guidance guidance_;
    FlatArray<Successor> met_;
    Statistics statistics_;
    std::vector<ActionId> helpful_;  // on demand: of the node being expanded, once it has a new successor
    bool helpful_copied_ = false;
    Guides guides_;
    bool guided_now_;
    bool reopen_;
    bool ignored_ = false;
    bool left_out_ = false;
    StateId expanding_ = kNoState;
};

}  // namespace fsplan
