// Heuristics of sliding tiles, computed from the parent's value: a move changes the distance of one tile and, for
// linear conflict, one line.
#pragma once

#include "contract/heuristic.hpp"
#include "puzzles/board.hpp"
#include "puzzles/line_conflicts.hpp"
#include "puzzles/packed.hpp"
#include "puzzles/without_guide.hpp"

namespace fsplan {

// The tile that a move shifts from the cell `from` to the cell `to` of the blank.
struct MovedTile {
    unsigned tile;
    unsigned from;
    unsigned to;
};

template <class Word>
MovedTile moved_tile(const Board& board, Word parent, ActionId action) {
    const unsigned blank = first_zero(parent);
    const unsigned from = board.neighbour(blank, action);
    return {cell(parent, from), from, blank};
}

// Manhattan distance: the sum over all tiles of the distance between the tile's cell and its goal cell.
template <class Word>
class Manhattan : public WithoutGuide {
public:
    static constexpr HeuristicInfo info{.name = "manhattan",
                                        .summary = "Σ over the tiles of the distance between cell and goal cell",
                                        .properties = {.admissible = true},
                                        .consistent = true,
                                        .strength = 1};

    explicit Manhattan(const Board& board);

    Evaluation evaluate(Word state) const {
        Cost h = 0;
        for (unsigned at = 0; at < board_.cells(); ++at) {
            const unsigned tile = cell(state, at);
            if (tile != 0) h += static_cast<Cost>(board_.distance(at, tile));
        }
        return {h, h};
    }
    Evaluation evaluate_child(Word parent, Cost parent_h, ActionId action, Word) const {
        const MovedTile moved = moved_tile(board_, parent, action);
        const Cost h = parent_h + change(moved, action);
        return {h, h};
    }

protected:
    Cost change(const MovedTile& moved, ActionId action) const { return changes_[moved.tile][moved.from][action]; }

    Board board_;

private:
    // tile -> cell that it leaves -> direction of the blank -> change of the tile's distance, -1 or 1.
    std::array<std::array<std::array<std::int8_t, kDirections>, kMaxPackedCells>, kMaxPackedCells> changes_{};
};

template <class Word>
Manhattan<Word>::Manhattan(const Board& board) : board_(board) {
    for (unsigned blank = 0; blank < board.cells(); ++blank)
        for (const Board::Move move : board.moves(blank))
            for (unsigned tile = 1; tile < board.cells(); ++tile)
                changes_[tile][move.cell][move.action] =
                    board.distance(blank, tile) < board.distance(move.cell, tile) ? -1 : 1;
}

// Manhattan distance plus linear conflicts: 2 × the least number of tiles whose removal leaves no conflict in their
// goal lines.
template <class Word>
class LinearConflict : public Manhattan<Word> {
public:
    static constexpr HeuristicInfo info{
        .name = "linear_conflict",
        .summary = "manhattan + 2 × the fewest tiles that must leave their goal lines to let the others pass",
        .properties = {.admissible = true},
        .consistent = true,
        .strength = 2};

    explicit LinearConflict(const Board& board);

    Evaluation evaluate(Word state) const {
        const Cost h = Manhattan<Word>::evaluate(state).h + rows_.sum(state) + columns_.sum(state);
        return {h, h};
    }
    // A tile that moves along a line keeps its order in it. When it moves to another line, only its goal line matters:
    // the tile leaves it if the distance grows and enters it if the distance shrinks.
    [[gnu::always_inline]] Evaluation evaluate_child(Word parent, Cost parent_h, ActionId action, Word child) const {
        const MovedTile moved = moved_tile(this->board_, parent, action);
        const Cost change = this->change(moved, action);
        const LineConflicts<Word>& lines = is_vertical(action) ? rows_ : columns_;
        const bool away = change > 0;
        const Cost caused =
            lines.caused(away ? parent : child, changed_[moved.tile][moved.from][action], away ? moved.from : moved.to);
        const Cost h = parent_h + change - change * caused;
        return {h, h};
    }

private:
    // tile -> cell that it leaves -> direction of the blank -> row or column whose conflicts change. If there is none,
    // a pseudo-line without conflicts saves an unpredictable branch.
    std::array<std::array<std::array<std::uint8_t, kDirections>, kMaxPackedCells>, kMaxPackedCells> changed_{};
    LineConflicts<Word> rows_;
    LineConflicts<Word> columns_;
};

template <class Word>
LinearConflict<Word>::LinearConflict(const Board& board)
    : Manhattan<Word>(board), rows_(board, LineKind::row), columns_(board, LineKind::column) {
    for (unsigned blank = 0; blank < board.cells(); ++blank)
        for (const Board::Move move : board.moves(blank))
            for (unsigned tile = 1; tile < board.cells(); ++tile) {
                const LineConflicts<Word>& lines = is_vertical(move.action) ? rows_ : columns_;
                const bool away = this->change({tile, move.cell, blank}, move.action) > 0;
                const bool crosses = lines.line(away ? move.cell : blank) == lines.line(tile);
                changed_[tile][move.cell][move.action] =
                    static_cast<std::uint8_t>(crosses ? lines.line(tile) : lines.kNowhere);
            }
}

}  // namespace fsplan
