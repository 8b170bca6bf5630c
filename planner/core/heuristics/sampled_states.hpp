// States that heuristics are fitted to: the start and the ends of random walks from it.
#pragma once

#include <cstdint>
#include <vector>

#include "task/task.hpp"
#include "work_watch.hpp"

namespace fsplan {

using StateValues = std::vector<std::int32_t>;  // one value per variable

// The start first, then the ends of 100 random walks of fewer than 100 steps; the same at every call.
std::vector<StateValues> sample_states(const GroundTask& task, WorkWatch& watch);

}  // namespace fsplan
