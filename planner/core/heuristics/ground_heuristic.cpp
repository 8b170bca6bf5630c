#include "heuristics/ground_heuristic.hpp"

#include <stdexcept>

#include "heuristics/lmcut.hpp"
#include "heuristics/relaxed.hpp"

namespace fsplan {

const std::vector<std::string>& ground_heuristic_names() {
    static const std::vector<std::string> names{"hmax", "lmcut", "blind", "goalcount", "hadd", "hff"};
    return names;
}

std::unique_ptr<GroundHeuristic> make_ground_heuristic(const std::string& name, const GroundTask& task,
                                                       const Layout& layout) {
    if (name.empty() || name == "hmax") return std::make_unique<MaxHeuristic>(task, layout);
    if (name == "lmcut") return std::make_unique<LandmarkCutHeuristic>(task, layout);
    if (name == "blind") return std::make_unique<BlindHeuristic>(task, layout);
    if (name == "goalcount") return std::make_unique<GoalCountHeuristic>(task, layout);
    if (name == "hadd") return std::make_unique<AdditiveHeuristic>(task, layout, false);
    if (name == "hff") return std::make_unique<AdditiveHeuristic>(task, layout, true);
    std::string known;
    for (const auto& each : ground_heuristic_names()) {
        if (!known.empty()) known += ", ";
        known += each;
    }
    throw std::invalid_argument("no heuristic '" + name + "'; there are " + known);
}

}  // namespace fsplan
