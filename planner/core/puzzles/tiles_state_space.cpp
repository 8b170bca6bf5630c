#include "puzzles/database_heuristic.hpp"
#include "puzzles/puzzle.hpp"
#include "puzzles/tiles_heuristics.hpp"

namespace fsplan {

namespace {

template <class Word>
using TilesDeclared = HeuristicList<LinearConflict<Word>, Manhattan<Word>, Blind>;

struct TilesHeuristics {
    const std::map<std::string, DatabaseHeuristic>& databases;

    auto operator()(const TilesGraph<Word64>& graph, const std::string& name) const {
        using Chosen = OneOf<LinearConflict<Word64>, Manhattan<Word64>, DatabaseHeuristic, Blind>;
        const auto found = databases.find(name);
        if (found != databases.end()) return Chosen(found->second);
        return TilesDeclared<Word64>::make<Chosen>(name, graph.board());
    }
    auto operator()(const TilesGraph<Word128>& graph, const std::string& name) const {
        using Chosen = OneOf<LinearConflict<Word128>, Manhattan<Word128>, Blind>;
        return TilesDeclared<Word128>::make<Chosen>(name, graph.board());
    }
};

TilesStateSpace::Graphs graph_of(const Board& board, const std::vector<int>& tiles) {
    board.check(tiles);
    if (board.cells() > kMaxCells<Word64>) return TilesGraph<Word128>(board, pack<Word128>(tiles));
    return TilesGraph<Word64>(board, pack<Word64>(tiles));
}

}  // namespace

static TilesHeuristics heuristics_of(const TilesStateSpace& space) { return {space.databases()}; }

template class PuzzleStateSpace<TilesStateSpace, TilesGraph>;

TilesStateSpace::TilesStateSpace(unsigned columns, unsigned rows, const std::vector<int>& tiles)
    : PuzzleStateSpace({tiles.begin(), tiles.end()}, graph_of(Board(columns, rows), tiles)), board_(columns, rows) {}

void TilesStateSpace::use_databases(const std::string& name, DatabaseHeuristic::Databases databases) {
    databases_.insert_or_assign(name, DatabaseHeuristic(board_, std::move(databases)));
}

std::unique_ptr<StateSpace> TilesStateSpace::at(std::span<const std::int32_t> values) {
    const std::vector<int> tiles(values.begin(), values.end());
    auto space = std::make_unique<TilesStateSpace>(board_.columns(), board_.rows(), tiles);
    space->databases_ = databases_;
    return space;
}

std::string TilesStateSpace::identity() const {
    return "tiles " + std::to_string(board_.columns()) + "x" + std::to_string(board_.rows());
}

std::string TilesStateSpace::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (unsigned at = 0; at < values.size(); ++at) {
        if (at != 0) name += at % board_.columns() == 0 ? " / " : " ";
        name += values[at] == 0 ? "_" : std::to_string(values[at]);
    }
    return name;
}

HeuristicInfos TilesStateSpace::heuristics() const {
    HeuristicInfos infos = TilesDeclared<Word64>::infos();
    for (const TilePartition& partition : tile_partitions())
        if (partition.columns == board_.columns() && partition.rows == board_.rows()) infos.push_back(&partition.info);
    return infos;
}

HeuristicInfos TilesStateSpace::all_heuristics() {
    HeuristicInfos infos = TilesDeclared<Word64>::infos();
    for (const TilePartition& partition : tile_partitions()) infos.push_back(&partition.info);
    return infos;
}

}  // namespace fsplan
