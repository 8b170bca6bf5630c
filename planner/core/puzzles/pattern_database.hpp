// Additive pattern databases of sliding tiles. A database holds, for every placement of a few tiles, the least number
// of moves of these tiles that brings them to their goal cells, from any position of the blank. Moves of other tiles
// are not counted, so the sum over databases of disjoint patterns is admissible.
//
// A placement is numbered by the mixed-radix rank of its cells (the i-th tile takes one of the cells - i cells left); an entry is
// one byte. A database is a file with a header and the entries; it is mapped read-only, so processes share its memory.
#pragma once

#include "puzzles/board.hpp"
#include "puzzles/packed.hpp"

namespace fsplan {

// The tiles of a pattern and the numbering of their placements, for boards of up to 16 cells.
class Pattern {
public:
    // Throws std::invalid_argument unless the tiles are distinct, on the board, and none is the blank.
    Pattern(const Board& board, std::vector<int> tiles);

    const std::vector<int>& tiles() const { return tiles_; }
    bool is_on(const Board& board) const { return board.columns() == columns_ && board.rows() == rows_; }
    std::uint64_t placements() const { return placements_; }

    // `positions` holds the cell of tile t in its t-th nibble.
    std::uint64_t index(Word64 positions) const {
        std::uint64_t index = 0;
        Word64 free_below = kIdentity;
        for (unsigned i = 0; i < tiles_.size(); ++i) {
            const unsigned shift = static_cast<unsigned>(positions >> shifts_[i] & 15) * 4;
            index += (free_below >> shift & 15) * weights_[i];
            free_below -= kNibblesAbove << shift;
        }
        return index;
    }

    // Inverse of index(): returns the cell of the pattern's i-th tile in the i-th nibble.
    Word64 placement(std::uint64_t index) const;

private:
    static constexpr Word64 kIdentity = 0xFEDCBA9876543210;
    static constexpr Word64 kNibblesAbove = 0x1111111111111110;

    unsigned columns_;
    unsigned rows_;
    std::vector<int> tiles_;
    std::array<std::uint8_t, 16> shifts_{};
    std::array<std::uint8_t, 16> radices_{};
    // Weights of the digits in the mixed-radix index: each is the product of the radices of later tiles.
    std::array<std::uint64_t, 16> weights_{};
    std::uint64_t placements_ = 1;
};

// Called with (level, number of finished placements, number of all placements); returns false to stop the build.
using BuildProgress = std::function<bool(unsigned, std::uint64_t, std::uint64_t)>;

// Computes the entries of a pattern; returns none if stopped.
std::vector<std::uint8_t> build_pattern_database(const Board& board, const Pattern& pattern, unsigned threads,
                                                 const BuildProgress& progress);

void write_pattern_database(const std::string& path, const Board& board, const Pattern& pattern,
                            const std::vector<std::uint8_t>& entries);

class PatternDatabase {
public:
    // Throws std::runtime_error if the file is missing, damaged, or belongs to another pattern.
    PatternDatabase(const std::string& path, const Board& board, std::vector<int> tiles);

    const Pattern& pattern() const { return pattern_; }
    std::uint64_t index(Word64 positions) const { return pattern_.index(positions); }
    std::uint8_t operator[](std::uint64_t index) const { return entries_[index]; }

private:
    Pattern pattern_;
    std::shared_ptr<const void> mapping_;
    const std::uint8_t* entries_ = nullptr;
};

}  // namespace fsplan
