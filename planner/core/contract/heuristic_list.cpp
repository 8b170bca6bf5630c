#include "contract/heuristic_list.hpp"

namespace fsplan {

std::string heuristic_names(const HeuristicInfos& infos) {
    std::string names;
    for (const HeuristicInfo* info : infos) names += (names.empty() ? "" : ", ") + std::string(info->name);
    return names;
}

const HeuristicInfo& strongest_heuristic(const HeuristicInfos& infos) {
    const HeuristicInfo* strongest = nullptr;
    for (const HeuristicInfo* info : infos) {
        if (!info->properties.admissible || info->needs_files) continue;
        if (strongest == nullptr || info->strength > strongest->strength) strongest = info;
    }
    return strongest != nullptr ? *strongest : *infos.front();
}

}  // namespace fsplan
