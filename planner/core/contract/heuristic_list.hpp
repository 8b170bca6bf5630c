// Lists of declared heuristics, and the default among those that a task supports.
#pragma once

#include <string>
#include <vector>

#include "contract/heuristic.hpp"

namespace fsplan {

using HeuristicInfos = std::vector<const HeuristicInfo*>;

// "hmax, lmcut, blind", for messages.
std::string heuristic_names(const HeuristicInfos& infos);

// The strongest admissible heuristic that needs no files; the first of all if there is none.
const HeuristicInfo& strongest_heuristic(const HeuristicInfos& infos);

}  // namespace fsplan
