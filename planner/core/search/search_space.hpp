// The part of the graph that a search has seen: states, one node per state, and the tree by which they were reached.
//
// Invariants. g(parent) + cost <= g(child) for every tree edge (only strict improvements are accepted, so parents never
// form a cycle). Consider a state p that is closed, and its child c; then a cheaper path to p is found. Until p is
// expanded again, c's g is more than the tree path to c costs: this is why plan() adds up the costs along the path.
// While cheaper paths re-open closed nodes, some open node lies on an optimal path with its optimal g, so with an
// admissible h the least f = g + h over the open nodes is a lower bound, whatever was expanded, in whatever order.
//
// Searches handle numbers of states only, so they are compiled once. Functions that depend on the types of graph and
// heuristic are virtual, with one call per expansion; SearchedGraph (searched_graph.hpp) implements them for each pair
// of types.
#pragma once

#include "containers/array.hpp"
#include "contract/request.hpp"
#include "search/edges.hpp"
#include "search/node.hpp"
#include "search/watch.hpp"

namespace fsplan {

inline constexpr const char* kPlansTooExpensive =
    "every plan, if there is one, costs 2^31 - 1 or more: scale the costs down";

class DepthFirstPasses;
class Run;
class Steps;

// How a new node gets its first values; evaluation.hpp explains the three ways.
enum class FirstValues : std::uint8_t { at_generation, on_surfacing, cheaply };

class SearchSpace {
public:
    // The request must outlive the space.
    explicit SearchSpace(const SearchRequest& request) : watch_(request), reopen_(request.reopen) {}
    virtual ~SearchSpace() = default;
    SearchSpace(const SearchSpace&) = delete;
    SearchSpace& operator=(const SearchSpace&) = delete;

    Node& operator[](StateId id) { return nodes_[id]; }
    const Node& operator[](StateId id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }
    Statistics& statistics() { return statistics_; }
    const Statistics& statistics() const { return statistics_; }
    Watch& watch() { return watch_; }
    // Called once per evaluation and per node of depth-first passes; throws if a limit is reached.
    void tick() { watch_.tick(statistics_); }
    virtual std::size_t action_count() const = 0;
    virtual std::size_t width() const = 0;
    virtual bool is_goal(StateId id) = 0;
    virtual void values(StateId id, std::span<std::int32_t> out) = 0;
    virtual std::size_t bytes() const = 0;
    // Cost of a sequence of actions from the initial state; throws if one is not applicable or the last state is not a
    // goal.
    virtual Cost plan_cost(const std::vector<ActionId>& plan) = 0;
    // Translates a path from the initial state to a plan of the task; they differ if states are merged up to symmetry.
    virtual std::vector<ActionId> plan_of_task(std::vector<ActionId> path) { return path; }
    // Whether every edge out of the node has been relaxed.
    virtual bool is_expanded(StateId id) = 0;
    // Null if the graph does not support depth-first passes (depth_first.hpp). `counts` receives their statistics. With
    // `inlined`, the code is specialised for the heuristic; otherwise the heuristic is called virtually.
    virtual std::unique_ptr<DepthFirstPasses> depth_first_passes(Statistics& counts, bool inlined) = 0;
    // The continuation of the search when memory is used up (below_frontier.hpp).
    virtual std::unique_ptr<Steps> below_frontier(Run& run) = 0;

    // Calls visit(Edge) for every edge out of the node. States seen for the first time get a node.
    template <class Visit>
    void expand(StateId id, FirstValues first_values, Visit visit) {
        begin_expansion(id);
        generate(id, first_values);
        end_expansion(visit);
    }
    // An expansion in two steps, if lists_ahead(): first visit(ActionId, Cost) for the labels of all edges, then the
    // edges. The memory of the second step is prefetched in the first.
    bool lists_ahead() const { return lists_ahead_; }
    template <class Visit>
    void list(StateId id, Visit visit) {
        begin_expansion(id);
        generate_labels(id);
        for (const Edge& edge : generated_) visit(edge.action, edge.cost);
    }
    template <class Visit>
    void expand_listed(StateId id, FirstValues first_values, Visit visit) {
        generate_listed(id, first_values);
        end_expansion(visit);
    }
    // Calls visit(ActionId, Cost) for the labels of the edges without generating successors.
    template <class Visit>
    void labels(StateId id, Visit visit) {
        collect_labels(id);
        for (const Edge& edge : generated_) visit(edge.action, edge.cost);
    }
    // As above, and counts an expansion. The caller generates the successors of the actions that it takes.
    template <class Visit>
    void expand_labels(StateId id, Visit visit) {
        begin_expansion(id);
        labels(id, visit);
        expanding_ = kNoState;
    }
    // Generates the successor by one applicable action.
    virtual Edge take(StateId id, ActionId action, FirstValues first_values) = 0;

    // Whether the edge is improving: g(parent) + cost < g(child).
    bool improves(StateId parent, const Edge& edge) const {
        const Node& child = nodes_[edge.child];
        return child.status() != NodeStatus::dead && (child.g == kInfinite || child.g - edge.cost > nodes_[parent].g);
    }
    // Adds an improving edge to the tree and opens the child.
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

    // Paths of cost 2^31 - 1 or more are pruned: all plans and bounds are below that. If only such paths are left,
    // unsolvability is not proven.
    bool is_out_of_range(std::int64_t f) {
        if (f < kInfinite) return false;
        left_out_ = true;
        return true;
    }
    bool left_out() const { return left_out_; }
    // Whether the least f of the open nodes is a lower bound: no cheaper path to a closed node has been ignored.
    bool bound_valid() const { return !ignored_; }

    // Records that the edges of this closed node have not been relaxed yet, so that least_open_f counts it as open.
    void keep_open(StateId id) { expanding_ = id; }
    // The least f of the open nodes; kInfinite if there are none. A node whose expansion is incomplete counts as open.
    Cost least_open_f() const;

    // Discards all paths: only the initial state is open. Nodes keep their h-values.
    StateId restart();

    // The plan to the node and its cost.
    Incumbent plan(StateId id);

protected:
    // These functions fill generated_ with the edges of the node. The label of an edge is its action and cost.
    //   generate          complete edges
    //   generate_labels   labels only, and stores the children's states for generate_listed, which completes the edges
    //   collect_labels    labels only
    virtual void generate(StateId id, FirstValues first_values) = 0;
    virtual void generate_labels(StateId id) = 0;
    virtual void collect_labels(StateId id) = 0;
    virtual void generate_listed(StateId id, FirstValues first_values) = 0;
    // The tree edge from parent to child: the first whose cost is the difference in g. If g(parent) has decreased
    // since, no edge has that cost, and the first of the cheapest edges is taken.
    virtual Edge tree_edge(StateId parent, StateId child) = 0;

    Watch watch_;
    FlatArray<Node> nodes_;
    FlatArray<Edge> generated_;
    Statistics statistics_;
    bool lists_ahead_ = false;

private:
    [[gnu::always_inline]] void begin_expansion(StateId id) {
        expanding_ = id;
        watch_.before_expansion(statistics_);
        ++statistics_.expanded;
        if (watch_.is_observed()) [[unlikely]]
            show_expansion(id);
    }
    template <class Visit>
    [[gnu::always_inline]] void end_expansion(Visit visit) {
        for (const Edge& edge : generated_) visit(edge);
        expanding_ = kNoState;
    }
    void show_expansion(StateId id);

    bool reopen_;
    bool ignored_ = false;
    bool left_out_ = false;
    StateId expanding_ = kNoState;
};

}  // namespace fsplan
