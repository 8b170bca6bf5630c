// Finds the derived variables that depend on themselves through rules.
#pragma once

#include "task/task.hpp"

namespace fsplan {

std::vector<bool> self_dependent_variables(const GroundTask& task);

}  // namespace fsplan
