// Relaxed reachability over the facts of a ground task.
#pragma once

#include "task/task.hpp"

namespace fsplan {

struct Reachable {
    std::vector<std::uint8_t> fact;
    std::vector<std::uint8_t> action;
    std::vector<std::uint8_t> effect;
    std::vector<std::uint8_t> rule;
};

// Delete relaxation. The default value of a derived variable counts as reached unless one of its rules always holds.
Reachable relaxed_reachable(const GroundTask& task);

}  // namespace fsplan
