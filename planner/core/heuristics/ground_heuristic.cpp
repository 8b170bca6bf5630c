#include "heuristics/ground_heuristic.hpp"

#include "contract/heuristic.hpp"

namespace fsplan {

namespace {

#define FSPLAN_ADDRESS(name) &name##_heuristic,
const GroundHeuristicEntry* const kEntries[] = {FSPLAN_GROUND_HEURISTICS(FSPLAN_ADDRESS)};
#undef FSPLAN_ADDRESS

bool takes(const HeuristicInfo& info, const GroundTask& task) {
    return (info.conditional_effects || !task.has_conditional_effects()) &&
           (info.derived_predicates || !task.has_derived());
}

const GroundHeuristicEntry* find_entry(const std::string& name) {
    if (name.empty()) return kEntries[0];
    for (const auto* entry : kEntries)
        if (name == entry->info.name) return entry;
    return nullptr;
}

}  // namespace

std::vector<const HeuristicInfo*> ground_heuristics() {
    std::vector<const HeuristicInfo*> infos;
    for (const auto* entry : kEntries) infos.push_back(&entry->info);
    return infos;
}

std::vector<const HeuristicInfo*> ground_heuristics_for(const GroundTask& task) {
    auto infos = ground_heuristics();
    std::erase_if(infos, [&](const HeuristicInfo* info) { return !takes(*info, task); });
    return infos;
}

std::unique_ptr<GroundHeuristic> make_ground_heuristic(const std::string& name, const HeuristicInput& input) {
    const auto* entry = find_entry(name);
    if (entry == nullptr || !takes(entry->info, input.task)) {
        const std::string problem = entry == nullptr ? "no heuristic '" + name + "'"
                                                     : "the heuristic '" + name + "' does not take this task's " +
                                                           (input.task.has_derived() && !entry->info.derived_predicates
                                                                ? "derived predicates"
                                                                : "conditional effects");
        throw std::invalid_argument(problem + "; choose one of " + heuristic_names(ground_heuristics_for(input.task)));
    }
    auto heuristic = entry->make(input);
    heuristic->properties_ = entry->info.properties;
    return heuristic;
}

}  // namespace fsplan
