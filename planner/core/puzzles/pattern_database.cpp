#include "puzzles/pattern_database.hpp"

#include <fstream>

#include "base/system.hpp"

namespace fsplan {

namespace {

struct Header {
    char magic[16];
    std::uint8_t columns, rows, count, reserved[5];
    std::uint8_t tiles[16];
    std::uint64_t placements;
    std::uint64_t checksum;
};
static_assert(sizeof(Header) == 56);

constexpr char kMagic[16] = "fsplan tiles 1\n";

// Computed in four independent multiply-xor lanes, so that a large file is checked at the speed of memory.
std::uint64_t checksum(const std::uint8_t* bytes, std::uint64_t size) {
    constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15;
    std::array<std::uint64_t, 4> lanes{1, 2, 3, size};
    std::uint64_t at = 0;
    for (; at + 32 <= size; at += 32) {
        for (unsigned lane = 0; lane < 4; ++lane) {
            std::uint64_t word;
            std::memcpy(&word, bytes + at + 8 * lane, 8);
            lanes[lane] = (lanes[lane] ^ word) * kPrime;
            lanes[lane] ^= lanes[lane] >> 32;
        }
    }
    for (; at < size; ++at) lanes[0] = (lanes[0] ^ bytes[at]) * kPrime;
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : lanes) sum = (sum ^ lane ^ lane >> 29) * kPrime;
    return sum;
}

Header header_of(const Board& board, const Pattern& pattern, const std::uint8_t* entries) {
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.columns = static_cast<std::uint8_t>(board.columns());
    header.rows = static_cast<std::uint8_t>(board.rows());
    header.count = static_cast<std::uint8_t>(pattern.tiles().size());
    std::copy(pattern.tiles().begin(), pattern.tiles().end(), header.tiles);
    header.placements = pattern.placements();
    header.checksum = checksum(entries, pattern.placements());
    return header;
}

}  // namespace

Pattern::Pattern(const Board& board, std::vector<int> tiles)
    : columns_(board.columns()), rows_(board.rows()), tiles_(std::move(tiles)) {
    if (board.cells() > kMaxCells<Word64>)
        throw std::invalid_argument("pattern databases need a board of at most 16 cells");
    if (tiles_.empty()) throw std::invalid_argument("a pattern needs at least one tile");
    unsigned seen = 0;
    for (unsigned i = 0; i < tiles_.size(); ++i) {
        const int tile = tiles_[i];
        if (tile < 1 || tile >= static_cast<int>(board.cells()) || (seen >> tile & 1) != 0)
            throw std::invalid_argument("tile " + std::to_string(tile) + " cannot be in this pattern");
        seen |= 1U << tile;
        shifts_[i] = static_cast<std::uint8_t>(tile * 4);
        radices_[i] = static_cast<std::uint8_t>(board.cells() - i);
        placements_ *= radices_[i];
    }
    std::uint64_t weight = 1;
    for (std::size_t i = tiles_.size(); i-- > 0; weight *= radices_[i]) weights_[i] = weight;
}

Word64 Pattern::placement(std::uint64_t index) const {
    std::array<unsigned, 16> digits{};
    for (std::size_t i = tiles_.size(); i-- > 0;) {
        digits[i] = static_cast<unsigned>(index % radices_[i]);
        index /= radices_[i];
    }
    Word64 cells = 0;
    Word64 free = kIdentity;
    for (unsigned i = 0; i < tiles_.size(); ++i) {
        cells |= (free >> (4 * digits[i]) & 15) << (4 * i);
        const Word64 below = (Word64{1} << (4 * digits[i])) - 1;
        free = (free & below) | (free >> 4 & ~below);
    }
    return cells;
}

void write_pattern_database(const std::string& path, const Board& board, const Pattern& pattern,
                            const std::vector<std::uint8_t>& entries) {
    const Header header = header_of(board, pattern, entries.data());
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(entries.data()), static_cast<std::streamsize>(entries.size()));
    file.close();
    if (!file) throw std::runtime_error(path + ": could not be written");
}

PatternDatabase::PatternDatabase(const std::string& path, const Board& board, std::vector<int> tiles)
    : pattern_(board, std::move(tiles)), mapping_(map_file(path, sizeof(Header) + pattern_.placements())) {
    entries_ = static_cast<const std::uint8_t*>(mapping_.get()) + sizeof(Header);
    const Header expected = header_of(board, pattern_, entries_);
    if (std::memcmp(mapping_.get(), &expected, sizeof expected) != 0)
        throw std::runtime_error(path + ": damaged, or the database of another pattern");
}

}  // namespace fsplan
