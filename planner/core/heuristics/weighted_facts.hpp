// Evaluates several potential functions at once.
#pragma once

#include "bounds/potentials.hpp"
#include "task/layout.hpp"

namespace fsplan {

// The weights of one fact in all potentials are adjacent, so that one look-up per variable reads one cache line.
// Computing the sums from scratch takes one vector addition per variable, which is cheaper than storing eight sums per
// node.
class WeightedFacts {
public:
    static constexpr std::size_t kLanes = 8;  // at most this many potentials are used

    WeightedFacts(const GroundTask& task, const Layout& layout, const std::vector<Potential>& potentials) {
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

    // The maximum of 0 and the values of all potentials, rounded up.
    Cost value(const Word* state) const {
        auto sums = goal_;
        for (const auto& [field, first] : fields_) {
            const auto& weights = weights_[first + field.get(state)];
            for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] -= weights[lane];
        }
        return largest(sums);
    }

    std::size_t work() const { return fields_.size(); }

private:
    using Lanes = std::array<std::int64_t, kLanes>;
    struct Field {
        PackedField field;
        std::size_t first;  // index of the variable's value 0 in weights_
    };

    Cost largest(const Lanes& sums) const {
        std::int64_t best = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            if (sums[lane] > 0) best = std::max(best, (sums[lane] - 1) / denominator_[lane] + 1);
        }
        return static_cast<Cost>(std::min<std::int64_t>(best, kDeadEnd - 1));
    }

    Lanes goal_{};  // potential -> sum of the weights of the goal facts
    std::array<std::int64_t, kLanes> denominator_;
    std::vector<Field> fields_;  // the variables with weights other than 0
    std::vector<Lanes> weights_;
};

}  // namespace fsplan
