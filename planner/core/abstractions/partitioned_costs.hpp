// Saturated cost partitioning over projections: the maximum over several orders of the sum of the projections' values.
//
// Preparing it costs a bounded amount of work; then a state takes look-ups only. Which order is good depends on the state.
// So orders are made for the start and for states on random walks from it, and an order is kept if it raises the value of
// one of these states ("diversification").
//
// Conditional effects and derived variables are treated as in projection.hpp: the projections have more transitions than
// the task, never fewer, so the value is admissible and consistent.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "task/layout.hpp"
#include "work_watch.hpp"

namespace fsplan {

struct PartitionTables;
class Projection;

// The tables of all orders side by side: one look-up gives a value under every order, from one cache line, and they are
// added up together. Projections to some of the variables of another are added to its table beforehand. Dead ends are the
// same under all orders.
class PartitionedCosts {
public:
    static constexpr std::size_t kMostOrders = 16;

    PartitionedCosts() = default;
    PartitionedCosts(const GroundTask& task, const Layout& layout, WorkWatch& watch);

    // kDeadEnd where a projection sees one.
    Cost value(const Word* state) const {
        std::array<Cost, kMostOrders> sums{};
        std::size_t term = 0;
        for (const auto& look_up : look_ups_) {
            std::size_t index = look_up.first;
            for (; term < look_up.end; ++term) index += terms_[term].field.get(state) * terms_[term].stride;
            const Cost* row = entries_.data() + index * kMostOrders;
            if (row[0] == kDead) return kDeadEnd;
            for (std::size_t lane = 0; lane < kMostOrders; ++lane) sums[lane] += row[lane];
        }
        return *std::max_element(sums.begin(), sums.end());
    }
    // What a value takes: the number of look-ups and of the fields that they read.
    std::size_t work() const { return look_ups_.size() + terms_.size(); }

private:
    static constexpr Cost kDead = -1;
    struct Term {
        PackedField field;
        std::uint32_t stride;
    };
    struct LookUp {
        std::size_t first;  // row of the projection's state 0
        std::size_t end;    // of its terms
    };

    struct OneTable {
        std::uint32_t lane;
        std::span<const Cost> entries;
    };

    void set(const std::vector<Projection>& projections, const std::vector<PartitionTables>& orders,
             const GroundTask& task, const Layout& layout, WorkWatch& watch);
    static void add(Cost* row, std::span<const std::uint32_t> members, const std::vector<Projection>& projections,
                    const std::vector<std::vector<OneTable>>& tables, const std::vector<std::int32_t>& values, Cost largest);

    std::vector<Term> terms_;
    std::vector<LookUp> look_ups_;
    std::vector<Cost> entries_;
};

}  // namespace fsplan
