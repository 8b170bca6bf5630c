// Linear conflicts within the rows, or the columns, of a board of tiles, by table look-up.
#pragma once

#include "puzzles/board.hpp"
#include "puzzles/packed.hpp"

namespace fsplan {

enum class LineKind { row, column };

// The content of a line is encoded as a number in base length + 1. The digit of a cell is the goal position of its tile
// in this line, or `length` if the tile's goal cell is in another line.
template <class Word>
class LineConflicts {
public:
    LineConflicts(const Board& board, LineKind kind);

    // Pseudo-line that contains no goal cell.
    static constexpr unsigned kNowhere = 5;

    // The line that contains the cell. The goal line of tile t is line(t).
    unsigned line(unsigned cell) const { return line_of_[cell]; }

    // Twice the number of conflicts of all lines.
    Cost sum(Word state) const {
        Cost total = 0;
        for (unsigned line = 0; line < lines_; ++line) total += conflicts_[content(state, line)];
        return total;
    }

    // Twice the number of conflicts that the line would lose without the tile in cell `at`, whose goal line it is.
    Cost caused(Word state, unsigned line, unsigned at) const {
        const unsigned with = content(state, line);
        const Digits& digits = digits_[line][place_of_[at]];
        const unsigned without = with - digits[fsplan::cell(state, at)] + digits[0];
        return Cost{conflicts_[with]} - Cost{conflicts_[without]};
    }

private:
    static constexpr unsigned kLongest = 5;
    static_assert(kNowhere == kLongest);
    using Digits = std::array<std::uint16_t, 32>;

    [[gnu::always_inline]] unsigned content(Word state, unsigned line) const {
        const auto digit = [&](unsigned place) -> unsigned {
            return digits_[line][place][fsplan::cell(state, cells_[line][place])];
        };
        if (length_ == 4) return digit(0) + digit(1) + digit(2) + digit(3);
        unsigned number = 0;
        for (unsigned place = 0; place < length_; ++place) number += digit(place);
        return number;
    }

    unsigned lines_;
    unsigned length_;
    std::array<std::uint8_t, kMaxPackedCells> line_of_{};
    std::array<std::uint8_t, kMaxPackedCells> place_of_{};
    std::array<std::array<std::uint8_t, kLongest>, kLongest + 1> cells_{};
    // line -> position -> tile -> what it adds to the line's number. The blank counts as a tile of another line.
    std::array<std::array<Digits, kLongest>, kLongest + 1> digits_{};
    const std::uint8_t* conflicts_;
};

// Table for lines of 2 to 5 cells: content -> twice the least number of tiles whose removal leaves no conflict. The
// other tiles with goals in the line are a longest increasing subsequence. Computed once.
const std::uint8_t* conflict_table(unsigned length);

template <class Word>
LineConflicts<Word>::LineConflicts(const Board& board, LineKind kind)
    : lines_(kind == LineKind::row ? board.rows() : board.columns()),
      length_(kind == LineKind::row ? board.columns() : board.rows()), conflicts_(conflict_table(length_)) {
    for (unsigned at = 0; at < board.cells(); ++at) {
        const unsigned line = kind == LineKind::row ? board.row(at) : board.column(at);
        const unsigned place = kind == LineKind::row ? board.column(at) : board.row(at);
        line_of_[at] = static_cast<std::uint8_t>(line);
        place_of_[at] = static_cast<std::uint8_t>(place);
        cells_[line][place] = static_cast<std::uint8_t>(at);
    }
    for (unsigned line = 0; line < lines_; ++line) {
        for (unsigned place = 0, weight = 1; place < length_; ++place, weight *= length_ + 1) {
            for (unsigned tile = 0; tile < board.cells(); ++tile) {
                const bool belongs = tile != 0 && line_of_[tile] == line;
                digits_[line][place][tile] = static_cast<std::uint16_t>((belongs ? place_of_[tile] : length_) * weight);
            }
        }
    }
}

}  // namespace fsplan
