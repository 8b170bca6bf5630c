// Saturated cost partitioning over projections and Cartesian abstractions. The value is the maximum over several orders
// of the abstractions of the sum of their values.
//
// The preparation takes a bounded amount of work; then an evaluation takes only table look-ups. Which order is best
// depends on the state. So orders are computed for the initial state and for states on random walks, and an order is
// kept if it raises the value of one of these states ("diversification").
//
// Conditional effects and derived variables are treated as in projection.hpp and cartesian.hpp: abstractions have more
// transitions than the task, never fewer, so the value is admissible and consistent.
#pragma once

#include "abstractions/abstraction.hpp"
#include "abstractions/row_sums.hpp"
#include "abstractions/state_rows.hpp"
#include "base/budget.hpp"
#include "task/layout.hpp"

namespace fsplan {

struct PartitionTables;

// One look-up gives the values under all orders (row_sums.hpp). A projection to a subset of the variables of another
// one is added to its table in advance. Dead ends are the same under all orders.
class PartitionedCosts {
public:
    static constexpr std::size_t kMostOrders = 16;

    PartitionedCosts(const GroundTask& task, const Layout& layout, Budget& watch);

    // kDeadEnd if an abstraction detects a dead end. The evaluation is faster the more the state resembles the previous
    // one.
    Cost value(const Word* state) {
        return std::visit(
            [&](auto& sums) {
                rows_.move_to(state, [&](std::size_t before, std::size_t now) { sums.replace(before, now); });
                return sums.greatest();
            },
            sums_);
    }
    // Work of the preparation.
    std::uint64_t preparation() const { return preparation_; }
    // Work of all evaluations so far, in look-ups.
    std::uint64_t work() const { return rows_.work(); }

private:
    static constexpr std::size_t kFewOrders = 8;

    struct OneTable {
        std::uint32_t lane;
        std::span<const Cost> entries;
    };

    void add_tables(const std::vector<Abstraction>& abstractions, const std::vector<PartitionTables>& orders,
                    const GroundTask& task, Budget& watch);
    // Appends rows of zeros and returns the index of the first one.
    std::size_t add_rows(std::size_t count);
    void choose_width(std::size_t orders);
    // Adds an abstract state's value in each order, capped at `largest`, to `row`; marks the row dead for a dead end.
    static void add(Cost* row, const std::vector<OneTable>& tables, std::size_t state, Cost largest);

    std::uint64_t preparation_ = 0;
    StateRows rows_;
    std::vector<std::size_t> first_;  // first row of each table
    std::vector<Cost> values_;        // rows of kMostOrders values; discarded when sums_ has copied them
    // 16-bit numbers if every sum fits, because they take less memory.
    std::variant<RowSums<std::int16_t, kFewOrders>, RowSums<std::int16_t, kMostOrders>, RowSums<Cost, kMostOrders>>
        sums_;
};

}  // namespace fsplan
