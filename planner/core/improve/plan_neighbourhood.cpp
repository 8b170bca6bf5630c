#include "improve/plan_neighbourhood.hpp"

namespace fsplan {

namespace {

constexpr std::size_t kMostEdges = 2'000'000;  // limit on stored edges, which take 12 bytes each
constexpr std::uint64_t kWorkOfEdge = 40;      // work of generating a successor and looking it up
constexpr std::uint64_t kWorkOfPathEdge = 20;  // work of Dijkstra's algorithm per edge
constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::max();

}  // namespace

PlanNeighbourhood::PlanNeighbourhood(PlanStructure& structure, GroundGraph& graph, const ActionSequence& plan,
                                     std::size_t max_expanded)
    : structure_(structure), graph_(graph), plan_(plan), max_expanded_(max_expanded), states_(graph.make_store()) {
    for (const auto& state : structure.states_along(plan)) states_.intern(state.data());
}

bool PlanNeighbourhood::may_expand() const {
    return expanded() < std::min(states_.size(), max_expanded_) && edges_.size() < kMostEdges;
}

void PlanNeighbourhood::expand_next() {
    graph_.successors(states_.hold(static_cast<StateId>(expanded())),
                      [&](ActionId action, Cost cost, const Word* next) {
                          edges_.push_back({states_.intern(next).id, action, cost});
                      });
    structure_.add_work(kWorkOfEdge * (1 + edges_.size() - first_edge_.back()));
    first_edge_.push_back(edges_.size());
}

bool PlanNeighbourhood::expand_for(std::uint64_t work, Budget& watch) {
    const std::uint64_t end = structure_.work() + work;
    while (may_expand() && structure_.work() < end) {
        watch.tick();
        expand_next();
    }
    return may_expand();
}

ActionSequence PlanNeighbourhood::cheapest_path(Budget& watch) {
    structure_.add_work(kWorkOfPathEdge * edges_.size());
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
    return plan_;
}

ActionSequence PlanNeighbourhood::path_to(StateId state, const std::vector<std::pair<StateId, ActionId>>& reached_by) {
    ActionSequence path;
    for (; state != 0; state = reached_by[state].first) path.push_back(reached_by[state].second);
    std::ranges::reverse(path);
    return path;
}

}  // namespace fsplan
