// Evaluates several potential functions at once.
#pragma once

#include <array>
#include <vector>

#include "bounds/potentials.hpp"
#include "task/layout.hpp"

namespace fsplan {

// The weights of one fact in all potentials are adjacent, so that one look-up per variable reads one cache line.
// Computing the sums from scratch takes one vector addition per variable, which is cheaper than storing eight sums per
// node.
class WeightedFacts {
public:
    static constexpr std::size_t kLanes = 8;  // at most this many potentials are used

    WeightedFacts(const GroundTask& task, const Layout& layout, const std::vector<Potential>& potentials);

    // The maximum of the potentials' values rounded up, at least 0.
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

    Cost largest(const Lanes& sums) const;

    Lanes goal_{};  // Σ over the goal facts
    std::array<std::int64_t, kLanes> denominator_;
    std::vector<Field> fields_;  // the variables with weights other than 0
    std::vector<Lanes> weights_;
};

}  // namespace fsplan
