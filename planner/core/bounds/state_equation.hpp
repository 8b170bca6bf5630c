// The state equation: for every fact f of a variable that actions set,
//     Σ over actions a of count(a) · change(a, f)  >=  [f is a goal] − [f holds at the start],
// where change(a, f) is the most that one application of a can add to the truth of f: 1, 0 or −1.
//
// The sum of the true changes along a plan is the truth of f at its end minus that at the start, and every true change
// is at most change(a, f): so the row holds for every plan. In detail, for an effect that sets v to f:
//   - a requires v = p, and the effect happens for certain: f gains 1 and p loses 1;
//   - a has no precondition on v: f may gain 1; the fact that is lost is unknown, so no other fact loses anything;
//   - the effect has a condition: f may gain 1, but p is not lost for certain.
// Derived variables have no rows, because rules change them at no cost; derived goals are covered by landmarks only.
#pragma once

#include "base/budget.hpp"
#include "bounds/linear_rows.hpp"
#include "task/task.hpp"

namespace fsplan {

// `start` has one value per variable. Rows that hold trivially are omitted.
LinearRows state_equation(const GroundTask& task, std::span<const std::int32_t> start, Budget& watch);

// The numbers change(a, f) that are not 0, for all actions a.
struct Change {
    FactId fact;
    std::int32_t amount;
};
struct ActionChanges {
    std::vector<std::uint32_t> begin{0};  // action -> index of its first change
    std::vector<Change> items;

    std::span<const Change> operator[](ActionId action) const {
        return {items.data() + begin[action], begin[action + 1] - begin[action]};
    }
};
ActionChanges greatest_changes(const GroundTask& task, Budget& watch);

}  // namespace fsplan
