// The declarations of all native heuristics, and how one is chosen among those that a task accepts.
#pragma once

#include <string>
#include <vector>

#include "heuristic.hpp"

namespace fsplan {

using HeuristicInfos = std::vector<const HeuristicInfo*>;

struct HeuristicGroup {
    const char* tasks;  // the kind of task that these heuristics are for
    HeuristicInfos infos;
};

std::vector<HeuristicGroup> heuristic_table();

// "hmax, lmcut, blind", for messages.
std::string heuristic_names(const HeuristicInfos& infos);

// The strongest admissible heuristic that needs no files; the first of all if there is none.
const HeuristicInfo& strongest_heuristic(const HeuristicInfos& infos);

}  // namespace fsplan
