#include "bind/heuristic_table.hpp"

#include "heuristics/ground_heuristic.hpp"
#include "puzzles/state_spaces.hpp"

namespace fsplan {

std::vector<HeuristicGroup> heuristic_table() {
    return {{"pddl", ground_heuristics()},
            {"tiles", TilesStateSpace::all_heuristics()},
            {"pancake", PancakeStateSpace::all_heuristics()}};
}

}  // namespace fsplan
