// The geometry of a sliding-tile board. Cells are numbered row by row; in the goal, cell i holds tile i (0 is the blank).
#pragma once

#include <cstdlib>

#include "contract/graph.hpp"
#include "puzzles/packed.hpp"

namespace fsplan {

inline constexpr unsigned kDirections = 4;
inline constexpr unsigned kNoCell = 255;

// An action is named after the direction in which the blank moves.
inline constexpr std::array<const char*, kDirections> kDirectionNames{"up", "left", "right", "down"};

constexpr bool is_vertical(ActionId direction) { return direction == 0 || direction == 3; }

class Board {
public:
    struct Move {
        std::uint8_t action;
        std::uint8_t cell;
    };
    struct Moves {
        std::uint8_t count = 0;
        std::array<Move, kDirections> list{};
        const Move* begin() const { return list.data(); }
        const Move* end() const { return list.data() + count; }
    };

    // Throws std::invalid_argument unless 2 <= columns, rows <= 5.
    Board(unsigned columns, unsigned rows);

    unsigned columns() const { return columns_; }
    unsigned rows() const { return rows_; }
    unsigned cells() const { return columns_ * rows_; }
    unsigned row(unsigned cell) const { return row_[cell]; }
    unsigned column(unsigned cell) const { return column_[cell]; }
    const Moves& moves(unsigned blank) const { return moves_[blank]; }
    // The cell to which the blank moves in this direction, or kNoCell.
    unsigned neighbour(unsigned blank, ActionId direction) const { return neighbours_[blank][direction]; }
    unsigned distance(unsigned from, unsigned to) const {
        return static_cast<unsigned>(std::abs(row_[from] - row_[to]) + std::abs(column_[from] - column_[to]));
    }
    // The mirror image of the cell at the main diagonal; for square boards only.
    unsigned transposed(unsigned cell) const { return column(cell) * columns_ + row(cell); }

    // Throws std::invalid_argument unless `tiles` is a permutation of 0 … cells - 1.
    void check(const std::vector<int>& tiles) const;
    // Whether the goal can be reached from this permutation.
    bool is_solvable(const std::vector<int>& tiles) const;

private:
    unsigned columns_;
    unsigned rows_;
    std::array<std::uint8_t, kMaxPackedCells> row_{};
    std::array<std::uint8_t, kMaxPackedCells> column_{};
    std::array<Moves, kMaxPackedCells> moves_{};
    std::array<std::array<std::uint8_t, kDirections>, kMaxPackedCells> neighbours_{};
};

// Throws std::invalid_argument unless `values` is a permutation of first … first + count - 1; `what` names its items.
void check_permutation(const std::vector<int>& values, unsigned count, int first, const std::string& what);

// Whether the permutation `values` is odd, that is, sorting it takes an odd number of exchanges.
bool is_odd(std::vector<int> values);

}  // namespace fsplan
