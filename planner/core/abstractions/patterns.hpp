// Chooses patterns for projections: they grow from the goal variables along the causal graph.
#pragma once

#include "abstractions/projection.hpp"
#include "base/budget.hpp"

namespace fsplan {

struct ProjectionLimits {
    std::size_t variables = 2;     // per pattern
    std::size_t states = 20'000;   // limit for each projection
    std::size_t work = 1'000'000;  // sum of Abstraction::work over all projections
    std::size_t projections = 3'000;
};

// Goal variables alone, then patterns of two variables, then of three and so on, until a limit is reached. A pattern
// grows by a variable u if some action with an effect on the pattern has u in its preconditions or effects; other
// variables would not change the goal distances.
std::vector<Abstraction> systematic_projections(const GroundTask& task, const ProjectionLimits& limits, Budget& watch);

// Larger patterns with only the abstract states that are reachable from `start`: one for each goal variable and one for
// all of them, each extended by the variables that its actions mention most, within the limits `states` and `work`.
std::vector<Abstraction> large_projections(const GroundTask& task, std::span<const std::int32_t> start,
                                           const ProjectionLimits& limits, Budget& watch);

}  // namespace fsplan
