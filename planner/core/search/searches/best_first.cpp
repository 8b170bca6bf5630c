// A*, weighted A* and greedy best-first search.
#include "search/best_first.hpp"
#include "search/steps.hpp"

namespace fsplan {

const SearchInfo astar_search{.name = "astar",
                              .summary = "A*: a plan of least cost.",
                              .reads = "ties reopen uncertified anytime",
                              .proves = "optimal",
                              .defaults = "w=1/1 ties=h,newest",
                              .open_proves_bound = true,
                              .make = [](Run& run) { return steps_of<BestFirst<>>(run, LinearKey{1, 1}); }};

const SearchInfo wastar_search{
    .name = "wastar",
    .summary = "Weighted A*: f = g + w·h, with re-opening.",
    .proves = "w",
    .open_proves_bound = true,
    .make = [](Run& run) { return steps_of<BestFirst<>>(run, weighted_key(run.request.w)); }};

const SearchInfo gbfs_search{
    .name = "gbfs",
    .summary = "Greedy best-first search: least h first; certified only if the final lower bound proves w.",
    .proves = "nothing",
    .open_proves_bound = true,
    .make = [](Run& run) { return steps_of<BestFirst<>>(run, LinearKey{0, 1}); }};

}  // namespace fsplan
