#include "puzzles/board.hpp"

namespace fsplan {

Board::Board(unsigned columns, unsigned rows) : columns_(columns), rows_(rows) {
    if (std::min(columns, rows) < 2 || std::max(columns, rows) > 5)
        throw std::invalid_argument("a board has 2 to 5 columns and rows, not " + std::to_string(columns) + "x" +
                                    std::to_string(rows));
    for (unsigned cell = 0; cell < cells(); ++cell) {
        row_[cell] = static_cast<std::uint8_t>(cell / columns_);
        column_[cell] = static_cast<std::uint8_t>(cell % columns_);
    }
    for (unsigned blank = 0; blank < cells(); ++blank) {
        const std::array<bool, kDirections> inside{row(blank) > 0, column(blank) > 0, column(blank) + 1 < columns_,
                                                   row(blank) + 1 < rows_};
        const std::array<unsigned, kDirections> target{blank - columns_, blank - 1, blank + 1, blank + columns_};
        for (unsigned direction = 0; direction < kDirections; ++direction) {
            neighbours_[blank][direction] = static_cast<std::uint8_t>(inside[direction] ? target[direction] : kNoCell);
            if (!inside[direction]) continue;
            Moves& moves = moves_[blank];
            moves.list[moves.count++] = {static_cast<std::uint8_t>(direction), neighbours_[blank][direction]};
        }
    }
}

void Board::check(const std::vector<int>& tiles) const { check_permutation(tiles, cells(), 0, "tile"); }

// Every move changes both the parity of the permutation and that of the blank's distance from its goal cell.
bool Board::is_solvable(const std::vector<int>& tiles) const {
    const auto blank = static_cast<unsigned>(std::ranges::find(tiles, 0) - tiles.begin());
    return is_odd(tiles) == (distance(blank, 0) % 2 == 1);
}

void check_permutation(const std::vector<int>& values, unsigned count, int first, const std::string& what) {
    if (values.size() != count)
        throw std::invalid_argument("expected " + std::to_string(count) + " " + what + "s, found " +
                                    std::to_string(values.size()));
    std::vector<bool> seen(count, false);
    for (const int value : values) {
        if (value < first || value - first >= static_cast<int>(count))
            throw std::invalid_argument(what + " " + std::to_string(value) + " is not between " +
                                        std::to_string(first) + " and " +
                                        std::to_string(first + static_cast<int>(count) - 1));
        const auto index = static_cast<std::size_t>(value - first);
        if (seen[index]) throw std::invalid_argument(what + " " + std::to_string(value) + " is repeated");
        seen[index] = true;
    }
}

bool is_odd(std::vector<int> values) {
    bool odd = false;
    for (std::size_t index = 0; index < values.size(); ++index) {
        const auto least = std::min_element(values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
        if (least == values.begin() + static_cast<std::ptrdiff_t>(index)) continue;
        std::iter_swap(values.begin() + static_cast<std::ptrdiff_t>(index), least);
        odd = !odd;
    }
    return odd;
}

}  // namespace fsplan
