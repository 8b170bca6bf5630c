#include "bounds/abstraction_rows.hpp"

namespace fsplan {

namespace {

void add_row(std::span<const Abstraction::Saturated> costs, Cost h, LinearRows& found) {
    Cost divisor = h;  // greatest common divisor of h and all costs
    for (auto [action, cost] : costs) divisor = std::gcd(divisor, cost);
    for (auto [action, cost] : costs) found.add_term(action, cost / divisor);
    found.end_row(h / divisor);
}

}  // namespace

std::int64_t AbstractionRows::partition(std::span<const Cost> costs, std::uint64_t seed, LinearRows& found,
                                        Budget& watch) {
    auto order = partitioning_.greedy_order(partitioning_.own_values(costs, watch), start_);
    if (seed != 0) {
        std::mt19937_64 random(seed);
        std::shuffle(order.begin(), order.end(), random);
    }
    std::int64_t sum = 0;
    patterns_.clear();
    auto use = [&](std::uint32_t number, std::span<const Cost> h, std::span<const Abstraction::Saturated> saturated) {
        const Cost value = h[abstractions_[number].index(start_)];
        if (sum == kDeadEnd) return;
        if (value == kDeadEnd) {
            sum = kDeadEnd;
            patterns_.assign(1, abstractions_[number].pattern());
            return;
        }
        sum += value;
        // An abstraction with value 0 is useful if it has negative saturated costs, which leave more cost for others.
        auto gives = [](const Abstraction::Saturated& each) { return each.cost < 0; };
        if (value == 0 && std::ranges::none_of(saturated, gives)) return;
        add_row(saturated, value, found);
        patterns_.push_back(abstractions_[number].pattern());
    };
    partitioning_.run(order, costs, watch, use);
    return sum;
}

}  // namespace fsplan
