// The state spaces of the puzzles.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "puzzles/board.hpp"
#include "puzzles/database_solver.hpp"
#include "puzzles/pancake.hpp"
#include "puzzles/tiles.hpp"
#include "state_space.hpp"

namespace fsplan {

class TilesStateSpace final : public StateSpace {
public:
    using Graphs = std::variant<TilesGraph<Word64>, TilesGraph<Word128>>;

    // `tiles` by cell, row by row. Throws std::invalid_argument unless the goal can be reached.
    TilesStateSpace(unsigned columns, unsigned rows, const std::vector<int>& tiles);

    // Makes the databases a heuristic of this name.
    void use_databases(const std::string& name, DatabaseSolver::Databases databases);

    SearchResult search(const SearchRequest& request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, WorkWatch& watch) override;
    std::size_t action_count() const override { return kDirections; }
    std::string action_name(ActionId action) const override { return kDirectionNames.at(action); }
    std::size_t width() const override { return board_.cells(); }
    std::vector<std::int32_t> domain_sizes() const override;
    std::vector<std::int32_t> start_values() override { return start_; }
    std::vector<Successor> successors(std::span<const std::int32_t> values) override;
    bool is_goal(std::span<const std::int32_t> values) override;
    Evaluated evaluate(const std::string& heuristic, std::span<const std::int32_t> values) override;
    std::unique_ptr<StateSpace> at(std::span<const std::int32_t> values) override;
    Estimator estimator(const std::string& heuristic) override;
    std::string identity() const override;
    std::string state_name(std::span<const std::int32_t> values) const override;
    std::size_t bytes_per_state() const override;
    HeuristicInfos heuristics() const override;
    static HeuristicInfos all_heuristics();  // of boards of every size

private:
    Board board_;
    std::vector<std::int32_t> start_;
    Graphs graph_;
    std::map<std::string, DatabaseSolver> databases_;
};

class PancakeStateSpace final : public StateSpace {
public:
    using Graphs = std::variant<PancakeGraph<Word64>, PancakeGraph<Word128>>;

    // Sizes 1 to n from the top, 2 <= n <= 25. Throws std::invalid_argument unless each is there once.
    explicit PancakeStateSpace(const std::vector<int>& stack);

    SearchResult search(const SearchRequest& request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, WorkWatch& watch) override;
    std::size_t action_count() const override { return start_.size() - 1; }
    std::string action_name(ActionId action) const override { return "flip-" + std::to_string(action + 2); }
    std::size_t width() const override { return start_.size(); }
    std::vector<std::int32_t> domain_sizes() const override;
    std::vector<std::int32_t> start_values() override { return start_; }
    std::vector<Successor> successors(std::span<const std::int32_t> values) override;
    bool is_goal(std::span<const std::int32_t> values) override;
    Evaluated evaluate(const std::string& heuristic, std::span<const std::int32_t> values) override;
    std::unique_ptr<StateSpace> at(std::span<const std::int32_t> values) override;
    Estimator estimator(const std::string& heuristic) override;
    std::string identity() const override;
    std::string state_name(std::span<const std::int32_t> values) const override;
    std::size_t bytes_per_state() const override;
    HeuristicInfos heuristics() const override { return all_heuristics(); }
    static HeuristicInfos all_heuristics();

private:
    void check(std::span<const std::int32_t> values) const;

    std::vector<std::int32_t> start_;  // sizes from 0
    Graphs graph_;
};

}  // namespace fsplan
