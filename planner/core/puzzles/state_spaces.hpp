// The state spaces of the puzzles.
#pragma once

#include "puzzles/board.hpp"
#include "puzzles/database_heuristic.hpp"
#include "puzzles/pancake.hpp"
#include "puzzles/tiles.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

// Base class of the state spaces of puzzles; its members are defined in puzzle.hpp. A state is a permutation. There are
// two graph types, for small instances (64-bit states) and large ones (128-bit states); a space holds one of them. A
// derived class adds check(values), which throws unless the values are a state, is_solvable(), and in its .cpp
// heuristics_of(space), which returns a function that maps a graph and a name to the heuristic of that name.
template <class Puzzle, template <class> class GraphOf>
class PuzzleStateSpace : public StateSpace {
public:
    using Graphs = std::variant<GraphOf<Word64>, GraphOf<Word128>>;

    SearchResult search(const SearchRequest& request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, Budget& watch) override;
    std::size_t width() const override { return start_.size(); }
    std::vector<std::int32_t> domain_sizes() const override;
    std::vector<std::int32_t> start_values() override { return start_; }
    std::vector<Successor> successors(std::span<const std::int32_t> values) override;
    bool is_goal(std::span<const std::int32_t> values) override;
    Evaluated evaluate(const std::string& heuristic, std::span<const std::int32_t> values) override;
    Estimator estimator(const std::string& heuristic) override;
    std::size_t bytes_per_state() const override;

protected:
    PuzzleStateSpace(std::vector<std::int32_t> start, Graphs graph)
        : start_(std::move(start)), graph_(std::move(graph)) {}

    std::vector<std::int32_t> start_;
    Graphs graph_;

private:
    const Puzzle& puzzle() const { return static_cast<const Puzzle&>(*this); }
};

class TilesStateSpace final : public PuzzleStateSpace<TilesStateSpace, TilesGraph> {
public:
    // tiles[i] is the tile in cell i; cells are numbered row by row. Throws std::invalid_argument if it is no permutation.
    TilesStateSpace(unsigned columns, unsigned rows, const std::vector<int>& tiles);

    // Adds the sum of the databases as a heuristic with this name.
    void use_databases(const std::string& name, DatabaseHeuristic::Databases databases);
    const std::map<std::string, DatabaseHeuristic>& databases() const { return databases_; }

    std::size_t action_count() const override { return kDirections; }
    std::string action_name(ActionId action) const override { return kDirectionNames.at(action); }
    std::unique_ptr<StateSpace> at(std::span<const std::int32_t> values) override;
    std::string identity() const override;
    std::string state_name(std::span<const std::int32_t> values) const override;
    HeuristicInfos heuristics() const override;
    static HeuristicInfos all_heuristics();  // includes those that support one board size only

    void check(std::span<const std::int32_t> values) const { board_.check({values.begin(), values.end()}); }
    bool is_solvable() const { return board_.is_solvable({start_.begin(), start_.end()}); }

private:
    Board board_;
    std::map<std::string, DatabaseHeuristic> databases_;
};

class PancakeStateSpace final : public PuzzleStateSpace<PancakeStateSpace, PancakeGraph> {
public:
    // `stack` lists the sizes from the top. Throws std::invalid_argument unless it is a permutation of 1 … n, 2 <= n <= 25.
    explicit PancakeStateSpace(const std::vector<int>& stack);

    std::size_t action_count() const override { return width() - 1; }
    std::string action_name(ActionId action) const override { return "flip-" + std::to_string(action + 2); }
    std::unique_ptr<StateSpace> at(std::span<const std::int32_t> values) override;
    std::string identity() const override;
    std::string state_name(std::span<const std::int32_t> values) const override;
    HeuristicInfos heuristics() const override { return all_heuristics(); }
    static HeuristicInfos all_heuristics();

    void check(std::span<const std::int32_t> values) const;  // sizes from 0
    bool is_solvable() const { return true; }
};

extern template class PuzzleStateSpace<TilesStateSpace, TilesGraph>;
extern template class PuzzleStateSpace<PancakeStateSpace, PancakeGraph>;

}  // namespace fsplan
