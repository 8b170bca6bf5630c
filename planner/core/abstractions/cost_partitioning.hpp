// Saturated cost partitioning: abstractions are evaluated in sequence, each under the costs that the previous ones
// left.
#pragma once

#include "abstractions/abstraction.hpp"
#include "base/budget.hpp"

namespace fsplan {

class CostPartitioning {
public:
    explicit CostPartitioning(std::vector<Abstraction>& abstractions) : abstractions_(abstractions) {}

    // Calls use(abstraction's number, distances, saturated costs) in the given order.
    template <class Use>
    void run(std::span<const std::uint32_t> order, std::span<const Cost> costs, Budget& watch, Use&& use) {
        remaining_.assign(costs.begin(), costs.end());
        for (auto number : order) {
            abstractions_[number].distances(remaining_, h_, watch);
            abstractions_[number].saturate(h_, saturated_, watch);
            for (auto [action, cost] : saturated_) {
                // The remaining cost is capped, so that sums do not overflow. Lower costs keep the estimate admissible.
                const auto left = std::int64_t{remaining_[action]} - cost;
                remaining_[action] = static_cast<Cost>(std::min<std::int64_t>(left, kDeadEnd / 4));
            }
            use(number, std::span<const Cost>(h_), std::span<const Abstraction::Saturated>(saturated_));
        }
    }

    // A good order for a state is by decreasing ratio of the abstraction's value to the costs that it uses: h(state) ÷ Σ
    // of the saturated costs, both under the full costs.
    struct OwnValues {
        std::vector<std::vector<Cost>> h;  // per abstraction, under the full costs
        std::vector<double> used;          // per abstraction: Σ of its positive saturated costs
    };
    OwnValues own_values(std::span<const Cost> costs, Budget& watch) {
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
    std::vector<std::uint32_t> greedy_order(const OwnValues& own, std::span<const std::int32_t> state) const {
        std::vector<double> merit;
        for (std::size_t p = 0; p < abstractions_.size(); ++p) {
            const Cost h = own.h[p][abstractions_[p].index(state)];
            merit.push_back(static_cast<double>(h) / std::max(1.0, own.used[p]));
        }
        std::vector<std::uint32_t> order(abstractions_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, [&](auto a, auto b) { return merit[a] > merit[b]; });
        return order;
    }

private:
    std::vector<Abstraction>& abstractions_;
    std::vector<Cost> remaining_, h_;
    std::vector<Abstraction::Saturated> saturated_;
};

}  // namespace fsplan
