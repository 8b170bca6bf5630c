// The patterns worth a projection: grown from the goal's variables along the causal graph.
#pragma once

#include <vector>

#include "abstractions/projection.hpp"

namespace fsplan {

struct ProjectionLimits {
    std::size_t variables = 2;             // per pattern
    std::size_t states = 20'000;           // per projection
    std::size_t work = 1'000'000;          // all together, see Projection::work
    std::size_t projections = 3'000;
};

// Goal variables alone, then patterns of two variables, then of three and so on, until a limit is reached. A pattern
// grows by a variable u if some action needs or sets u and sets a variable of the pattern: other variables would add
// nothing to the distances.
std::vector<Projection> systematic_projections(const GroundTask& task, const ProjectionLimits& limits);

}  // namespace fsplan
