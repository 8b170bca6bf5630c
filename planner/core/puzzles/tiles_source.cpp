#include "puzzles/database_search.hpp"
#include "puzzles/sources.hpp"
#include "puzzles/tiles_heuristics.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

namespace {

using Databases = std::map<std::string, DatabaseSolver>;

// Calls use with the heuristic of this name.
template <class Word, class Use>
auto with_heuristic(const TilesGraph<Word>& graph, const Databases& databases, const std::string& name, const Use& use) {
    const auto call = [&](auto heuristic) { return use(heuristic); };
    if (name == "linear_conflict") return call(LinearConflict<Word>(graph.board()));
    if (name == "manhattan") return call(Manhattan<Word>(graph.board()));
    if (name == "blind") return call(Blind());
    if constexpr (std::is_same_v<Word, Word64>) {
        const auto found = databases.find(name);
        if (found != databases.end()) return call(DatabaseHeuristic(found->second));
    }
    throw std::invalid_argument("this board has no heuristic " + name);
}

std::variant<TilesGraph<Word64>, TilesGraph<Word128>> graph_of(const Board& board, const std::vector<int>& tiles) {
    board.check(tiles);
    if (board.cells() > kMaxCells<Word64>) return TilesGraph<Word128>(board, pack<Word128>(tiles));
    return TilesGraph<Word64>(board, pack<Word64>(tiles));
}

}  // namespace

TilesSource::TilesSource(unsigned columns, unsigned rows, const std::vector<int>& tiles)
    : board_(columns, rows), start_(tiles.begin(), tiles.end()), graph_(graph_of(board_, tiles)) {}

void TilesSource::use_databases(const std::string& name, DatabaseSolver::Databases databases) {
    databases_.insert_or_assign(name, DatabaseSolver(board_, std::move(databases)));
}

SearchResult TilesSource::search(const SearchRequest& request) {
    const auto databases = databases_.find(request.heuristic);
    if (request.algorithm == Algorithm::idastar && databases != databases_.end())
        return idastar_with_databases(databases->second, pack<Word64>(start_), request);
    return std::visit(
        [&](auto& graph) {
            return with_heuristic(graph, databases_, request.heuristic,
                                  [&](auto& heuristic) { return run_search(graph, heuristic, request); });
        },
        graph_);
}

ExploredGraph TilesSource::explore(const std::string& heuristic, std::size_t max_states) {
    return std::visit(
        [&](auto& graph) {
            if (heuristic.empty()) return fsplan::explore(graph, static_cast<Blind*>(nullptr), max_states);
            return with_heuristic(graph, databases_, heuristic,
                                  [&](auto& evaluator) { return fsplan::explore(graph, &evaluator, max_states); });
        },
        graph_);
}

std::vector<std::int32_t> TilesSource::domain_sizes() const {
    return std::vector<std::int32_t>(board_.cells(), static_cast<std::int32_t>(board_.cells()));
}

std::string TilesSource::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (unsigned at = 0; at < values.size(); ++at) {
        if (at != 0) name += board_.column(at) == 0 ? " / " : " ";
        name += values[at] == 0 ? "_" : std::to_string(values[at]);
    }
    return name;
}

std::size_t TilesSource::bytes_per_state() const {
    return std::visit([](const auto& graph) { return sizeof(graph.start()); }, graph_);
}

std::vector<std::string> TilesSource::heuristics() const {
    std::vector<std::string> names{"linear_conflict", "manhattan", "blind"};
    if (board_.columns() == 4 && board_.rows() == 4) names.insert(names.end(), {"pdb663", "pdb78"});
    if (board_.columns() == 3 && board_.rows() == 3) names.emplace_back("pdb8");
    return names;
}

}  // namespace fsplan
