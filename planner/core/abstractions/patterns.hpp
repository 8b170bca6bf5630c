// The patterns worth a projection: grown from the goal's variables along the causal graph.
#pragma once

#include <span>
#include <vector>

#include "abstractions/projection.hpp"
#include "work_watch.hpp"

namespace fsplan {

struct ProjectionLimits {
    std::size_t variables = 2;             // per pattern
    std::size_t states = 20'000;           // per projection
    std::size_t work = 1'000'000;          // all together, see Abstraction::work
    std::size_t projections = 3'000;
};

// Goal variables alone, then patterns of two variables, then of three and so on, until a limit is reached. A pattern
// grows by a variable u if some action needs or sets u and sets a variable of the pattern: other variables would add
// nothing to the distances.
std::vector<Abstraction> systematic_projections(const GroundTask& task, const ProjectionLimits& limits,
                                              WorkWatch& watch);

// Larger patterns, of which only what is reachable from `start` is kept: one for each goal variable and one for all of them,
// each grown by the variables that its actions mention most, as far as `states` and `work` allow.
std::vector<Abstraction> large_projections(const GroundTask& task, std::span<const std::int32_t> start,
                                          const ProjectionLimits& limits, WorkWatch& watch);

}  // namespace fsplan
