#include "policies/relational/successors.hpp"

#include <algorithm>
#include <limits>

namespace fsplan::relational {

namespace {

constexpr std::int64_t kNoEstimate = std::numeric_limits<std::int64_t>::max();  // estimate of a dead end

// How an action of cost c changes the guide h_FF: c + h_FF(successor) − h_FF(state), in units of c. Examples with c =
// 1: from guide 5 to 4 adds 0, as a step of the relaxed plan does that the successor need not repeat; from 5 to 5 adds
// 1; from 5 to 6, where the step has to be undone, adds 2. For actions of cost 0 the unit is 1.
enum Progress : std::uint8_t { better, exact, less_than_half, less, unchanged, worse, undone, much_worse, dead };

Progress progress_of(std::int64_t added, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (added < 0) return better;
    if (added == 0) return exact;
    if (2 * added <= unit) return less_than_half;
    if (added < unit) return less;
    if (added == unit) return unchanged;
    if (added < 2 * unit) return worse;
    return added == 2 * unit ? undone : much_worse;
}

// Difference to the best action of the state, in the same units, rounded up: 0 for the best, at most 3.
std::uint8_t gap_of(std::int64_t behind, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (behind == 0) return 0;
    return behind <= unit ? 1 : behind <= 2 * unit ? 2 : 3;
}

// The same difference relative to the guide of the state, in classes: 0 for the best, then 1 to 5.
std::uint8_t lag_of(std::int64_t behind, std::int64_t guide) {
    if (behind == 0) return 0;
    std::uint8_t lag = 1;
    for (const std::int64_t percent : {2, 5, 15, 40}) {
        if (100 * behind <= percent * guide) return lag;
        ++lag;
    }
    return lag;
}

}  // namespace

Successors::Successors(const GroundTask& task, Outlook& outlook, const Changes& changes)
    : task_(task), outlook_(outlook), changes_(changes) {}

void Successors::compare(std::span<const ActionId> actions, std::span<const std::uint32_t> edges) {
    if (edges.empty()) return;
    standing_.resize(actions.size());
    estimates_.clear();
    for (const std::uint32_t edge : edges) estimates_.push_back(estimate(actions[edge]));
    const std::int64_t least = *std::min_element(estimates_.begin(), estimates_.end());
    for (std::size_t i = 0; i < edges.size(); ++i)
        standing_[edges[i]] = standing(estimates_[i], least, task_.cost[actions[edges[i]]]);
}

// c + h_FF of the successor.
std::int64_t Successors::estimate(ActionId action) {
    after_.clear();
    changes_.list_effects(action, [&](FactId after) { after_.push_back(after); });
    const Cost guide = outlook_.guide_after(after_);
    return guide == kDeadEnd ? kNoEstimate : std::int64_t{guide} + task_.cost[action];
}

Successors::Standing Successors::standing(std::int64_t estimate, std::int64_t least, Cost cost) const {
    if (estimate == kNoEstimate) return {dead, 4, 6};
    const std::int64_t behind = estimate - least;
    return {progress_of(estimate - outlook_.guide(), cost), gap_of(behind, cost), lag_of(behind, outlook_.guide())};
}

}  // namespace fsplan::relational
