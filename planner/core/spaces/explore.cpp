#include "spaces/explore.hpp"

namespace fsplan {

namespace {

struct ReversedEdges {
    std::vector<std::uint32_t> begin;
    std::vector<StateId> source;
    std::vector<Cost> cost;
};

ReversedEdges reverse(const ExploredGraph& graph) {
    ReversedEdges reversed;
    reversed.begin.assign(graph.size() + 1, 0);
    for (auto target : graph.target) ++reversed.begin[target + 1];
    std::partial_sum(reversed.begin.begin(), reversed.begin.end(), reversed.begin.begin());
    reversed.source.resize(graph.target.size());
    reversed.cost.resize(graph.target.size());
    auto next = reversed.begin;
    for (StateId source = 0; source < graph.size(); ++source) {
        for (auto e = graph.edges_begin[source]; e < graph.edges_begin[source + 1]; ++e) {
            auto place = next[graph.target[e]]++;
            reversed.source[place] = source;
            reversed.cost[place] = graph.cost[e];
        }
    }
    return reversed;
}

// A heap of (goal distance, state) pairs, packed into integers.
class Frontier {
public:
    void push(Cost cost, StateId state) {
        heap_.push_back(static_cast<std::uint64_t>(cost) << 32 | state);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    std::pair<Cost, StateId> pop() {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        auto top = heap_.back();
        heap_.pop_back();
        return {static_cast<Cost>(top >> 32), static_cast<StateId>(top)};
    }
    bool empty() const { return heap_.empty(); }

private:
    std::vector<std::uint64_t> heap_;
};

}  // namespace

std::vector<Cost> costs_to_go(const ExploredGraph& graph) {
    auto reversed = reverse(graph);
    std::vector<Cost> result(graph.size(), kDeadEnd);
    Frontier frontier;
    for (StateId state = 0; state < graph.size(); ++state) {
        if (!graph.goal[state]) continue;
        result[state] = 0;
        frontier.push(0, state);
    }
    while (!frontier.empty()) {
        auto [cost, state] = frontier.pop();
        if (cost != result[state]) continue;
        for (auto e = reversed.begin[state]; e < reversed.begin[state + 1]; ++e) {
            auto through = std::int64_t{cost} + reversed.cost[e];
            auto& best = result[reversed.source[e]];
            if (through >= best) continue;
            best = static_cast<Cost>(through);
            frontier.push(best, reversed.source[e]);
        }
    }
    return result;
}

}  // namespace fsplan
