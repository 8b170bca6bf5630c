// Saturated cost partitioning over abstractions, projections and Cartesian ones: the maximum over several orders of the sum
// of their values.
//
// Preparing it costs a bounded amount of work; then a state takes look-ups only. Which order is good depends on the state.
// So orders are made for the start and for states on random walks from it, and an order is kept if it raises the value of
// one of these states ("diversification").
//
// Conditional effects and derived variables are treated as in projection.hpp and cartesian.hpp: abstractions have more transitions than
// the task, never fewer, so the value is admissible and consistent.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "abstractions/abstraction.hpp"
#include "abstractions/row_sums.hpp"
#include "abstractions/state_rows.hpp"
#include "task/layout.hpp"
#include "work_watch.hpp"

namespace fsplan {

struct PartitionTables;

// One look-up gives a value under every order (row_sums.hpp). Projections to some of the variables of another are added to its
// table beforehand. Dead ends are the same under all orders.
class PartitionedCosts {
public:
    static constexpr std::size_t kMostOrders = 16;

    PartitionedCosts(const GroundTask& task, const Layout& layout, WorkWatch& watch);

    // kDeadEnd where an abstraction sees one. The more the state is like the last one, the less time it takes.
    Cost value(const Word* state) {
        return std::visit([&](auto& sums) {
            rows_.move_to(state, [&](std::size_t before, std::size_t now) { sums.replace(before, now); });
            return sums.greatest();
        }, sums_);
    }
    // What all values so far have taken: the number of look-ups.
    std::uint64_t work() const { return rows_.work(); }

private:
    static constexpr std::size_t kFewOrders = 8;

    struct OneTable {
        std::uint32_t lane;
        std::span<const Cost> entries;
    };

    void add_tables(const std::vector<Abstraction>& abstractions, const std::vector<PartitionTables>& orders,
                    const GroundTask& task, WorkWatch& watch);
    // Returns the place of the first.
    std::size_t add_rows(std::size_t count);
    void choose_width(std::size_t orders);
    // Adds up the values of an abstract state; they are cut to `largest`.
    static void add(Cost* row, const std::vector<OneTable>& tables, std::size_t state, Cost largest);

    StateRows rows_;
    std::vector<std::size_t> first_;  // row of each table
    std::vector<Cost> values_;        // rows of kMostOrders, until they are copied
    // Small numbers where every sum fits: they take less memory.
    std::variant<RowSums<std::int16_t, kFewOrders>, RowSums<std::int16_t, kMostOrders>, RowSums<Cost, kMostOrders>> sums_;
};

}  // namespace fsplan
