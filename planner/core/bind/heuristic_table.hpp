// The declarations of all native heuristics, by kind of task.
#pragma once

#include <vector>

#include "contract/heuristic_list.hpp"

namespace fsplan {

struct HeuristicGroup {
    const char* tasks;  // the kind of task that these heuristics are for
    HeuristicInfos infos;
};

std::vector<HeuristicGroup> heuristic_table();

}  // namespace fsplan
