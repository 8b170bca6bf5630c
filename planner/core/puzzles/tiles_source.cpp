#include "puzzles/database_search.hpp"
#include "puzzles/sources.hpp"
#include "puzzles/tiles.hpp"
#include "puzzles/tiles_heuristics.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

namespace {

template <class Word>
SearchResult search_board(TilesGraph<Word> graph, const SearchRequest& request) {
    const auto run = [&](auto heuristic) { return run_search(graph, heuristic, request); };
    if (request.heuristic == "linear_conflict") return run(LinearConflict<Word>(graph.board()));
    if (request.heuristic == "manhattan") return run(Manhattan<Word>(graph.board()));
    if (request.heuristic == "blind") return run(Blind());
    throw std::invalid_argument("heuristic " + request.heuristic + " is not available for this board");
}

SearchResult search_with_databases(TilesGraph<Word64> graph, const DatabaseSolver& solver, const SearchRequest& request) {
    if (request.algorithm == Algorithm::idastar) return idastar_with_databases(solver, graph.start(), request);
    DatabaseHeuristic heuristic(solver);
    return run_search(graph, heuristic, request);
}

}  // namespace

TilesSource::TilesSource(unsigned columns, unsigned rows, std::vector<int> tiles) : board_(columns, rows) {
    board_.check(tiles);
    tiles_.assign(tiles.begin(), tiles.end());
}

void TilesSource::use_databases(const std::string& name, DatabaseSolver::Databases databases) {
    databases_.insert_or_assign(name, DatabaseSolver(board_, std::move(databases)));
}

SearchResult TilesSource::search(const SearchRequest& request) {
    if (board_.cells() > kMaxCells<Word64>)
        return search_board(TilesGraph<Word128>(board_, pack<Word128>(tiles_)), request);
    const TilesGraph<Word64> graph(board_, pack<Word64>(tiles_));
    const auto databases = databases_.find(request.heuristic);
    if (databases != databases_.end()) return search_with_databases(graph, databases->second, request);
    return search_board(graph, request);
}

std::vector<std::int32_t> TilesSource::domain_sizes() const {
    return std::vector<std::int32_t>(board_.cells(), static_cast<std::int32_t>(board_.cells()));
}

std::size_t TilesSource::bytes_per_state() const {
    return board_.cells() > kMaxCells<Word64> ? sizeof(Word128) : sizeof(Word64);
}

std::vector<std::string> TilesSource::heuristics() const {
    std::vector<std::string> names{"linear_conflict", "manhattan", "blind"};
    if (board_.columns() == 4 && board_.rows() == 4) names.insert(names.end(), {"pdb663", "pdb78"});
    if (board_.columns() == 3 && board_.rows() == 3) names.emplace_back("pdb8");
    return names;
}

}  // namespace fsplan
