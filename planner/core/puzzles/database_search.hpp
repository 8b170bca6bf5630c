// Searches of the tiles with pattern databases, and the partitions that have names.
#pragma once

#include <vector>

#include "puzzles/database_solver.hpp"
#include "puzzles/without_guide.hpp"
#include "request.hpp"

namespace fsplan {

// The tiles of a board in disjoint patterns, whose databases together are a heuristic of that name.
struct TilePartition {
    HeuristicInfo info;
    unsigned columns, rows;
    std::vector<std::vector<int>> patterns;
};

const std::vector<TilePartition>& tile_partitions();

// The databases as a heuristic for any search. The larger of the two views of a state is consistent since each is.
class DatabaseHeuristic : public WithoutGuide {
public:
    explicit DatabaseHeuristic(const DatabaseSolver& solver) : solver_(solver) {}

    Evaluation evaluate(Word64 state) const {
        const Cost h = solver_.evaluate(state);
        return {h, h};
    }
    Evaluation evaluate_child(Word64, Cost, ActionId, Word64 child) const { return evaluate(child); }

private:
    const DatabaseSolver& solver_;
};

// IDA* by the solver, under the limits of the request.
SearchResult idastar_with_databases(DatabaseSolver solver, Word64 start, const SearchRequest& request);

}  // namespace fsplan
