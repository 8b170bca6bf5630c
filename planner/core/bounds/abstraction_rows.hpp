// Rows of a linear program from abstractions: Σ saturated(a) · count(a) >= h(start), see abstractions/abstraction.hpp.
#pragma once

#include <random>

#include "abstractions/cost_partitioning.hpp"
#include "bounds/linear_rows.hpp"

namespace fsplan {

class AbstractionRows {
public:
    AbstractionRows(std::vector<Abstraction> abstractions, std::span<const std::int32_t> start)
        : start_(start.begin(), start.end()), abstractions_(std::move(abstractions)), partitioning_(abstractions_) {}
    AbstractionRows(const AbstractionRows&) = delete;
    AbstractionRows& operator=(const AbstractionRows&) = delete;

    std::size_t size() const { return abstractions_.size(); }
    // Patterns of the rows of the last partition(); empty for Cartesian abstractions. If it returned kDeadEnd, the
    // single pattern in whose projection no path leads from the initial state to the goal.
    const std::vector<VariablePattern>& patterns() const { return patterns_; }
    // Saturated cost partitioning of these costs, in the order that is best for the initial state or in a random one. Returns
    // the sum of the values, kDeadEnd if there is no plan. `found` gets a row for each abstraction with a contribution,
    // so that the linear program can reproduce this partitioning or find a better one.
    std::int64_t partition(std::span<const Cost> costs, std::uint64_t seed, LinearRows& found, Budget& watch);

private:
    std::vector<std::int32_t> start_;
    std::vector<Abstraction> abstractions_;
    CostPartitioning partitioning_;
    std::vector<VariablePattern> patterns_;
};

}  // namespace fsplan
