// Rows of a linear program from projections: Σ saturated(a) · count(a) >= h(start), see abstractions/projection.hpp.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "abstractions/cost_partitioning.hpp"
#include "abstractions/patterns.hpp"
#include "bounds/linear_rows.hpp"

namespace fsplan {

class ProjectionRows {
public:
    // Projections to large patterns, or systematically to small ones.
    enum class Patterns { small, large };
    ProjectionRows(const GroundTask& task, std::span<const std::int32_t> start, const ProjectionLimits& limits,
                   Patterns patterns, WorkWatch& watch)
        : start_(start.begin(), start.end()),
          projections_(patterns == Patterns::large ? large_projections(task, start, limits, watch)
                                                   : systematic_projections(task, limits, watch)),
          partitioning_(projections_) {}

    std::size_t size() const { return projections_.size(); }
    // The variables that the rows of the last partition() are about.
    const std::vector<VariablePattern>& patterns() const { return patterns_; }
    // Saturated cost partitioning of these costs over the order that is best for the start, or a random one. Returns the
    // sum over the projections, kDeadEnd if there is no plan; `found` gets a row for each that takes part: the dual of
    // the linear program can repeat the partitioning, or find a better one.
    std::int64_t partition(std::span<const Cost> costs, std::uint64_t seed, LinearRows& found,
                           WorkWatch& watch);

private:
    std::vector<std::int32_t> start_;
    std::vector<Projection> projections_;
    CostPartitioning partitioning_;
    std::vector<VariablePattern> patterns_;
};

}  // namespace fsplan
