// Relaxed reachability over the facts of a ground task.
#pragma once

#include <cstdint>
#include <vector>

#include "task/task.hpp"

namespace fsplan {

struct Reachable {
    std::vector<std::uint8_t> fact;
    std::vector<std::uint8_t> action;
    std::vector<std::uint8_t> effect;
    std::vector<std::uint8_t> rule;
};

// Ignores that facts can become false again. A derived variable has its default unless a rule always holds.
Reachable relaxed_reachable(const GroundTask& task);

// item -> the rows it occurs in
Rows transpose(const Rows& rows, std::size_t items);

// The variable of every fact.
std::vector<std::uint32_t> variables_of_facts(const GroundTask& task);

}  // namespace fsplan
