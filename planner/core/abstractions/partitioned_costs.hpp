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

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "abstractions/abstraction.hpp"
#include "task/layout.hpp"
#include "work_watch.hpp"

namespace fsplan {

struct PartitionTables;

// The tables of all orders side by side: one look-up gives a value under every order, from one cache line, and they are
// added up together. Projections to some of the variables of another are added to its table beforehand. Dead ends are the
// same under all orders.
class PartitionedCosts {
public:
    static constexpr std::size_t kMostOrders = 16;

    PartitionedCosts() = default;
    PartitionedCosts(const GroundTask& task, const Layout& layout, WorkWatch& watch);

    // kDeadEnd where an abstraction sees one.
    Cost value(const Word* state) const {
        if (!wide_.empty()) return value<kMostOrders>(state, wide_);
        return orders_ <= kFewOrders ? value<kFewOrders>(state, narrow_) : value<kMostOrders>(state, narrow_);
    }
    // What a value takes: the number of look-ups and of the fields that they read.
    std::size_t work() const { return look_ups_.size() + terms_.size() + kStepsPerTree * trees_.size(); }

private:
    // Each row has `width` values, one per order.
    template <std::size_t width, class Value>
    Cost value(const Word* state, const std::vector<Value>& entries) const {
        std::array<Value, width> sums{};
        const auto add = [&](std::size_t index) {
            const Value* row = entries.data() + index * width;
            for (std::size_t lane = 0; lane < width; ++lane) sums[lane] = static_cast<Value>(sums[lane] + row[lane]);
            return row[0] != kDead;
        };
        std::size_t term = 0;
        for (const auto& look_up : look_ups_) {
            std::size_t index = look_up.first;
            for (; term < look_up.end; ++term) index += terms_[term].field.get(state) * terms_[term].stride;
            if (!add(index)) return kDeadEnd;
        }
        for (const auto& tree : trees_) {
            const auto value_of = [&](std::uint32_t variable) { return fields_[variable].get(state); };
            if (!add(tree.first + tree.splits.find(value_of))) return kDeadEnd;
        }
        return *std::max_element(sums.begin(), sums.end());
    }

    static constexpr std::size_t kFewOrders = 8;
    static constexpr Cost kDead = -1;
    static constexpr std::size_t kStepsPerTree = 8;
    struct Term {
        PackedField field;
        std::uint32_t stride;
    };
    struct LookUp {
        std::size_t first;  // row of the projection's state 0
        std::size_t end;    // of its terms
    };

    struct Tree {
        SplitTree splits;
        std::size_t first;  // row of its state 0
    };

    struct OneTable {
        std::uint32_t lane;
        std::span<const Cost> entries;
    };

    void set(const std::vector<Abstraction>& abstractions, const std::vector<PartitionTables>& orders,
             const GroundTask& task, const Layout& layout, WorkWatch& watch);
    std::size_t add_rows(std::size_t count);
    void make_narrow();
    // Adds up the values of an abstract state; they are cut to `largest`.
    static void add(Cost* row, const std::vector<OneTable>& tables, std::size_t state, Cost largest);

    std::vector<Term> terms_;
    std::vector<LookUp> look_ups_;
    std::vector<PackedField> fields_;  // per variable
    std::vector<Tree> trees_;
    std::size_t orders_ = 0;
    std::vector<Cost> wide_;            // rows of kMostOrders
    std::vector<std::int16_t> narrow_;  // used instead where every sum fits, to save memory
};

}  // namespace fsplan
