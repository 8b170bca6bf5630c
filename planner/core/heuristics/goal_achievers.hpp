// Whether the next round reaches the goal, without looking at all operators: each of its facts has few achievers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heuristics/bits.hpp"
#include "heuristics/relaxation.hpp"

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

    // Whether operators that need only what is reached bring all these facts of the goal.
    bool bring_all(const Bits<W>& missing, const Bits<W>& reached) {
        if (missing.contains(latest_) && !bring(latest_, reached)) return false;
        bool all = true;
        missing.for_each([&](auto fact) {
            if (!all || bring(fact, reached)) return;
            all = false;
            latest_ = fact;
        });
        return all;
    }

private:
    bool bring(std::uint32_t fact, const Bits<W>& reached) const {
        return std::any_of(needs_[fact].begin(), needs_[fact].end(),
                           [&](const auto& needs) { return needs.without(reached).empty(); });
    }

    std::vector<std::vector<Bits<W>>> needs_;  // fact of the goal -> what each of its achievers needs
    std::uint32_t latest_ = 0;                 // the fact that was out of reach last, and may well be again
};

}  // namespace fsplan
