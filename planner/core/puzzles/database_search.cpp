#include "puzzles/database_search.hpp"

#include "limits.hpp"

namespace fsplan {

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
