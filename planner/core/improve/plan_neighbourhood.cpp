#include "improve/plan_neighbourhood.hpp"

namespace fsplan {

namespace {

constexpr std::size_t kMostEdges = 2'000'000;  // 12 bytes each
constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::max();

struct PathEdge {
    StateId target;
    ActionId action;
    Cost cost;
};

class Neighbourhood {
public:
    Neighbourhood(GroundGraph& graph, const std::vector<std::vector<Word>>& states_along)
        : graph_(graph), states_(graph.make_store()) {
        for (const auto& state : states_along) states_.intern(state.data());
    }

    // States are expanded in the order in which they were found, those of the plan first.
    void expand(std::size_t max_expanded, Budget& watch) {
        while (expanded() < std::min(states_.size(), max_expanded) && edges_.size() < kMostEdges) {
            watch.tick();
            const Word* state = states_.hold(static_cast<StateId>(expanded()));
            graph_.successors(state, [&](ActionId action, Cost cost, const Word* next) {
                edges_.push_back({states_.intern(next).id, action, cost});
            });
            first_edge_.push_back(edges_.size());
        }
    }

    // Dijkstra's algorithm; empty if no goal state can be reached through the states that were expanded.
    ActionSequence cheapest_path(Budget& watch) {
        std::vector<std::int64_t> distance(states_.size(), kUnreached);
        std::vector<std::pair<StateId, ActionId>> reached_by(states_.size(), {kNoState, kNoAction});
        using Entry = std::pair<std::int64_t, StateId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        distance[0] = 0;
        open.emplace(0, 0);
        while (!open.empty()) {
            watch.tick();
            const auto [g, state] = open.top();
            open.pop();
            if (g != distance[state]) continue;
            if (graph_.is_goal(states_.hold(state))) return path_to(state, reached_by);
            if (state >= expanded()) continue;
            for (std::size_t e = first_edge_[state]; e < first_edge_[state + 1]; ++e) {
                const PathEdge& edge = edges_[e];
                if (g + edge.cost >= distance[edge.target]) continue;
                distance[edge.target] = g + edge.cost;
                reached_by[edge.target] = {state, edge.action};
                open.emplace(g + edge.cost, edge.target);
            }
        }
        return {};
    }

    std::size_t expanded() const { return first_edge_.size() - 1; }

private:
    static ActionSequence path_to(StateId state, const std::vector<std::pair<StateId, ActionId>>& reached_by) {
        ActionSequence path;
        for (; state != 0; state = reached_by[state].first) path.push_back(reached_by[state].second);
        std::ranges::reverse(path);
        return path;
    }

    GroundGraph& graph_;
    GroundGraph::Store states_;
    std::vector<std::size_t> first_edge_{0};  // expanded state -> its first edge; one more entry for the end
    std::vector<PathEdge> edges_;
};

}  // namespace

PathNearby cheapest_path_near(PlanStructure& structure, GroundGraph& graph, const ActionSequence& plan,
                              std::size_t max_expanded, Budget& watch) {
    Neighbourhood neighbourhood(graph, structure.states_along(plan));
    neighbourhood.expand(max_expanded, watch);
    ActionSequence path = neighbourhood.cheapest_path(watch);
    // If fewer states may be expanded than the plan visits, no path may reach the goal.
    if (path.empty()) path = plan;
    return {std::move(path), neighbourhood.expanded()};
}

}  // namespace fsplan
