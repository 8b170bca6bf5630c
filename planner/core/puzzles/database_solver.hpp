// Optimal solving of sliding tiles by IDA* on additive pattern databases. Only the database of the tile that moved is
// looked up again; on square boards the state mirrored at the diagonal gives a second value, and the larger one counts.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "puzzles/board.hpp"
#include "puzzles/pattern_database.hpp"

namespace fsplan {

class DatabaseSolver {
public:
    using Databases = std::vector<std::shared_ptr<const PatternDatabase>>;
    // Called every few thousand nodes; false stops the search.
    using Observer = std::function<bool(const DatabaseSolver&)>;

    // Throws std::invalid_argument unless the patterns are disjoint and cover every tile.
    DatabaseSolver(const Board& board, Databases databases);

    Cost evaluate(Word64 state) const;

    // The actions of an optimal plan; nothing when stopped.
    std::optional<std::vector<ActionId>> solve(Word64 start);

    // The actions, as bits, that start an optimal plan of a state on an optimal trace, `distance` moves from the goal.
    // `action` is the trace's, `undo` leads back to the state before (kDirections at the start); neither needs a search.
    unsigned optimal_actions(Word64 state, Cost distance, ActionId action, ActionId undo);

    void observe(Observer observer) { observer_ = std::move(observer); }
    std::uint64_t expanded() const { return expanded_; }
    std::uint64_t generated() const { return generated_; }
    // The bound of the iteration under way: no plan is shorter.
    Cost bound() const { return bound_; }

private:
    static constexpr std::uint64_t kObserveEvery = 1 << 12;

    // The cells of the tiles, mirrored or not, and the entry of each database in a byte.
    struct View {
        Word64 positions;
        std::uint32_t entries;
        Cost h;
    };
    struct Node {
        Word64 cells;
        unsigned blank;
        std::array<View, 2> views;
        Cost h() const { return std::max(views[0].h, views[1].h); }
    };

    Node node(Word64 state) const;
    View view(Word64 positions) const;
    bool search(const Node& node, Cost left, ActionId forbidden);
    bool step(const Node& node, Board::Move move, Cost left);
    void advance(View& view, unsigned tile, unsigned from, unsigned to) const;

    Board board_;
    Databases databases_;
    unsigned views_ = 1;
    std::array<std::uint8_t, 16> database_of_{};
    std::array<std::uint8_t, 16> transposed_{};
    Observer observer_;
    std::uint64_t expanded_ = 0;
    std::uint64_t generated_ = 0;
    Cost bound_ = 0;
    bool stopped_ = false;
    std::vector<ActionId> path_;
};

}  // namespace fsplan
