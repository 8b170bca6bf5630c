// Translates an instantiated task into finite-domain variables; useless parts are kept (simplify.hpp removes them).
#pragma once

#include "base/budget.hpp"
#include "encode/variables.hpp"
#include "instantiate/propositional.hpp"
#include "lifted/lifted_task.hpp"
#include "task/task.hpp"

namespace fsplan {

struct Translation {
    // The last value of every variable is "none of those". Layers of derived variables are 0 until stratify() sets them.
    GroundTask task;
    // True if nothing was removed, no condition is negative and there are no rules, so relevance and reachability need
    // not be recomputed.
    bool all_kept;
};

Translation translate(const lifted::Task& lifted, const propositional::Task& task, const MutexGroups& groups,
                      const Variables& variables, const std::vector<std::uint8_t>& needed_rules, Budget& watch);

}  // namespace fsplan
