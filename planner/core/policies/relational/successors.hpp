// Compares the successors of a state, by their relaxed plans, with the state and with each other. Each successor takes
// an exploration of the delete relaxation.
#pragma once

#include "policies/relational/relaxed_plans.hpp"
#include "policies/relational/replaced_facts.hpp"

namespace fsplan::relational {

inline constexpr std::int64_t kNoEstimate = std::numeric_limits<std::int64_t>::max();  // estimate of a dead end

// The progress of an action of cost c is c + h_FF(successor) − h_FF(state), in units of c. Examples with c = 1: if h_FF
// falls from 5 to 4, the value is 0: the action is a step of the relaxed plan. If h_FF stays 5, it is 1. If h_FF rises
// to 6, it is 2: the action must be undone. For actions of cost 0 the unit is 1.
enum Progress : std::uint8_t { better, exact, less_than_half, less, unchanged, worse, undone, much_worse, dead };

inline Progress progress_of(std::int64_t added, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (added < 0) return better;
    if (added == 0) return exact;
    if (2 * added <= unit) return less_than_half;
    if (added < unit) return less;
    if (added == unit) return unchanged;
    if (added < 2 * unit) return worse;
    return added == 2 * unit ? undone : much_worse;
}

// Class of `behind`, the difference between c + h_FF(successor) and its least value among the siblings: 0 for the best
// action, otherwise in units of c, rounded up, at most 3.
inline std::uint8_t gap_of(std::int64_t behind, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (behind == 0) return 0;
    return behind <= unit ? 1 : behind <= 2 * unit ? 2 : 3;
}

// Class of the same difference relative to `guide`, h_FF of the state: 0 for the best action, otherwise 1 to 5.
inline std::uint8_t lag_of(std::int64_t behind, std::int64_t guide) {
    if (behind == 0) return 0;
    std::uint8_t lag = 1;
    for (const std::int64_t percent : {2, 5, 15, 40}) {
        if (100 * behind <= percent * guide) return lag;
        ++lag;
    }
    return lag;
}

class Successors {
public:
    // The arguments must outlive the object.
    Successors(const GroundTask& task, RelaxedPlans& relaxed, const ReplacedFacts& replaced)
        : task_(task), relaxed_(relaxed), replaced_(replaced) {}

    // Compares the successors by these edges, in the state that the relaxed plans and the replaced facts are set to.
    void compare(std::span<const ActionId> actions, std::span<const std::uint32_t> edges) {
        if (edges.empty()) return;
        standing_.resize(actions.size());
        estimates_.clear();
        for (const std::uint32_t edge : edges) estimates_.push_back(estimate(actions[edge]));
        const std::int64_t least = *std::ranges::min_element(estimates_);
        for (std::size_t i = 0; i < edges.size(); ++i)
            standing_[edges[i]] = standing(estimates_[i], least, task_.cost[actions[edges[i]]]);
    }

    // For an edge that was compared: c + h_FF(successor) relative to h_FF(state), in units of c; its difference to the
    // least among the siblings, in the same units and relative to h_FF(state).
    std::uint8_t progress(std::size_t edge) const { return standing_[edge].progress; }
    std::uint8_t gap(std::size_t edge) const { return standing_[edge].gap; }
    std::uint8_t lag(std::size_t edge) const { return standing_[edge].lag; }
    static constexpr std::size_t kProgress = 9, kGaps = 5;

private:
    struct Standing {
        std::uint8_t progress, gap, lag;
    };
    // c + h_FF of the successor.
    std::int64_t estimate(ActionId action) {
        after_.clear();
        replaced_.list_effects(action, [&](FactId after) { after_.push_back(after); });
        const Cost guide = relaxed_.guide_after(after_);
        return guide == kDeadEnd ? kNoEstimate : std::int64_t{guide} + task_.cost[action];
    }
    Standing standing(std::int64_t estimate, std::int64_t least, Cost cost) const {
        if (estimate == kNoEstimate) return {dead, 4, 6};
        const std::int64_t behind = estimate - least;
        return {progress_of(estimate - relaxed_.guide(), cost), gap_of(behind, cost), lag_of(behind, relaxed_.guide())};
    }

    const GroundTask& task_;
    RelaxedPlans& relaxed_;
    const ReplacedFacts& replaced_;
    std::vector<Standing> standing_;  // per edge
    std::vector<std::int64_t> estimates_;
    std::vector<FactId> after_;
};

}  // namespace fsplan::relational
