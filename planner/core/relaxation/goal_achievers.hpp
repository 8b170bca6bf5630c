// Tests whether the next round reaches the goal by looking only at the achievers of the goal facts, which are few.
#pragma once

#include "relaxation/bits.hpp"
#include "relaxation/relaxation.hpp"

namespace fsplan {

template <std::size_t W>
class GoalAchievers {
public:
    explicit GoalAchievers(const Relaxation& relaxation) : needs_(relaxation.fact_count) {
        std::vector<std::uint8_t> in_goal(relaxation.fact_count);
        for (auto fact : relaxation.precondition[relaxation.goal()]) in_goal[fact] = 1;
        for (OperatorId op = 0; op < relaxation.goal(); ++op) {
            for (auto fact : relaxation.effect[op])
                if (in_goal[fact]) needs_[fact].push_back(Bits<W>::of(relaxation.precondition[op]));
        }
    }

    // Whether every missing goal fact has an achiever whose preconditions are all reached.
    bool achieve_all(const Bits<W>& missing, const Bits<W>& reached) {
        if (missing.contains(latest_) && !achieves(latest_, reached)) return false;
        bool all = true;
        missing.for_each([&](auto fact) {
            if (!all || achieves(fact, reached)) return;
            all = false;
            latest_ = fact;
        });
        return all;
    }

private:
    bool achieves(std::uint32_t fact, const Bits<W>& reached) const {
        return std::ranges::any_of(needs_[fact], [&](const auto& needs) { return needs.without(reached).empty(); });
    }

    std::vector<std::vector<Bits<W>>> needs_;  // goal fact -> preconditions of each achiever
    std::uint32_t latest_ = 0;                 // the goal fact that failed the last test; it is tested first
};

}  // namespace fsplan
