#include "abstractions/cost_partitioning.hpp"

#include <algorithm>
#include <numeric>

namespace fsplan {

CostPartitioning::OwnValues CostPartitioning::own_values(std::span<const Cost> costs, Budget& watch) {
    OwnValues own;
    for (auto& abstraction : abstractions_) {
        abstraction.distances(costs, own.h.emplace_back(), watch);
        abstraction.saturate(own.h.back(), saturated_, watch);
        double used = 0;
        for (auto [action, cost] : saturated_) used += std::max(cost, 0);
        own.used.push_back(used);
    }
    return own;
}

std::vector<std::uint32_t> CostPartitioning::greedy_order(const OwnValues& own,
                                                          std::span<const std::int32_t> state) const {
    std::vector<double> merit;
    for (std::size_t p = 0; p < abstractions_.size(); ++p) {
        const Cost h = own.h[p][abstractions_[p].index(state)];
        merit.push_back(static_cast<double>(h) / std::max(1.0, own.used[p]));
    }
    std::vector<std::uint32_t> order(abstractions_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return merit[a] > merit[b]; });
    return order;
}

}  // namespace fsplan
