// Sample states to which heuristics are fitted: the initial state and the ends of random walks from it.
#pragma once

#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

using StateValues = std::vector<std::int32_t>;  // one value per variable

// The initial state, then the ends of 100 random walks of fewer than 100 steps. Every call returns the same states.
std::vector<StateValues> sample_states(const GroundTask& task, Budget& watch);

}  // namespace fsplan
