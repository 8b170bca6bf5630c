// The values of several potentials at once.
#pragma once

#include <array>
#include <vector>

#include "bounds/potentials.hpp"
#include "task/layout.hpp"

namespace fsplan {

// The weights of all potentials stand side by side: one look-up per variable, from one cache line, and they are added up
// together. Computing the sums anew takes one addition per variable, less than keeping eight sums per node would.
class WeightedFacts {
public:
    static constexpr std::size_t kLanes = 8;  // further potentials are left out

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
        std::size_t first;  // place of its value 0 in weights_
    };

    Cost largest(const Lanes& sums) const;

    Lanes goal_{};                       // Σ over the goal facts
    std::array<std::int64_t, kLanes> denominator_;
    std::vector<Field> fields_;          // of variables that have weights
    std::vector<Lanes> weights_;
};

}  // namespace fsplan
