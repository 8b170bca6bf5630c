#include "puzzles/database_search.hpp"

#include "limits.hpp"

namespace fsplan {

namespace {

HeuristicInfo partition_info(const char* name, const char* summary) {
    return {.name = name,
            .summary = summary,
            .properties = {.admissible = true},
            .consistent = true,
            .needs_files = true,
            .strength = 3};
}

}  // namespace

const std::vector<TilePartition>& tile_partitions() {
    static const std::vector<TilePartition> partitions{
        {partition_info("pdb663", "moves of 6, 6 and 3 tiles of the 15-puzzle, from pattern databases"), 4, 4,
         {{1, 4, 5, 8, 9, 12}, {7, 10, 11, 13, 14, 15}, {2, 3, 6}}},
        {partition_info("pdb78", "moves of 7 and 8 tiles of the 15-puzzle, from pattern databases"), 4, 4,
         {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}},
        {partition_info("pdb8", "exact distances of the 8-puzzle, from one database of all tiles"), 3, 3,
         {{1, 2, 3, 4, 5, 6, 7, 8}}}};
    return partitions;
}

SearchResult idastar_with_databases(DatabaseSolver solver, Word64 start, const SearchRequest& request) {
    Watch watch(request);
    SearchResult result;
    Statistics& counts = result.statistics;
    solver.observe([&](const DatabaseSolver& now) {
        counts.expanded = now.expanded();
        watch.f_min = watch.lower_bound = now.bound();
        watch.before_expansion(counts);
        return true;
    });
    try {
        result.plan = solver.solve(start).value();
        result.status = Status::solved;
        result.cost = static_cast<Cost>(result.plan.size());
        result.certified = true;
    } catch (const Stopped& stopped) {
        result.status = stopped.status;
    }
    result.lower_bound = solver.bound();
    counts.expanded = solver.expanded();
    counts.generated = counts.evaluated = solver.generated();
    counts.search_seconds = watch.seconds();
    counts.peak_memory_bytes = watch.peak_bytes();
    if (result.certified && request.on_incumbent) request.on_incumbent({result.plan, result.cost, result.lower_bound});
    return result;
}

}  // namespace fsplan
