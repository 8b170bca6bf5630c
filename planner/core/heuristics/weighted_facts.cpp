#include "heuristics/weighted_facts.hpp"

#include <algorithm>

namespace fsplan {

WeightedFacts::WeightedFacts(const GroundTask& task, const Layout& layout, const std::vector<Potential>& potentials) {
    const std::size_t used = std::min(kLanes, potentials.size());
    denominator_.fill(1);
    std::vector<Lanes> of_fact(task.fact_count());
    for (std::size_t lane = 0; lane < used; ++lane) {
        denominator_[lane] = potentials[lane].denominator;
        for (FactId fact = 0; fact < task.fact_count(); ++fact) of_fact[fact][lane] = potentials[lane].weight[fact];
        for (auto fact : task.goal) goal_[lane] += potentials[lane].weight[fact];
    }
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        const auto begin = of_fact.begin() + task.first_fact[v], end = of_fact.begin() + task.first_fact[v + 1];
        if (std::all_of(begin, end, [](const Lanes& each) { return each == Lanes{}; })) continue;
        fields_.push_back({layout.field[v], weights_.size()});
        weights_.insert(weights_.end(), begin, end);
    }
}

Cost WeightedFacts::largest(const Lanes& sums) const {
    std::int64_t best = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (sums[lane] > 0) best = std::max(best, (sums[lane] - 1) / denominator_[lane] + 1);
    }
    return static_cast<Cost>(std::min<std::int64_t>(best, kDeadEnd - 1));
}

}  // namespace fsplan
