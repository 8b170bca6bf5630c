// Breadth-first search backwards from the goal over pairs (placement, region). The region is the connected set of cells
// without pattern tiles that contains the blank; the blank moves in it without moving a pattern tile. A level is one
// move of a pattern tile. A placement has at most 8 regions, so a set of regions is a byte; besides the entries, the
// build takes three bytes per placement.
#include <atomic>
#include <thread>

#include "puzzles/pattern_database.hpp"

namespace fsplan {

namespace {

// The connected regions of free cells, for every set of cells that pattern tiles can occupy.
class Regions {
public:
    explicit Regions(const Board& board) : neighbours_(board.cells()), regions_(std::size_t{1} << board.cells()) {
        for (unsigned blank = 0; blank < board.cells(); ++blank)
            for (const Board::Move move : board.moves(blank)) neighbours_[blank] |= bit(move.cell);
        for (std::size_t occupied = 0; occupied < regions_.size(); ++occupied) number(occupied, board.cells());
    }

    // The number of the region that contains the free cell `cell`. Regions are numbered separately for each set of
    // occupied cells.
    unsigned of(unsigned occupied, unsigned cell) const { return regions_[occupied].of >> (4 * cell) & 15; }
    std::uint16_t cells(unsigned occupied, unsigned region) const { return regions_[occupied].cells[region]; }
    std::uint16_t neighbours(unsigned cell) const { return neighbours_[cell]; }

    static constexpr std::uint16_t bit(unsigned cell) { return static_cast<std::uint16_t>(1U << cell); }

private:
    struct Entry {
        Word64 of = 0;
        std::array<std::uint16_t, 8> cells{};
    };

    void number(std::size_t occupied, unsigned cells) {
        auto left = static_cast<unsigned>(~occupied) & ((1U << cells) - 1);
        for (unsigned region = 0; left != 0 && region < 8; ++region) {
            const unsigned found = flood(left & -left, left);
            regions_[occupied].cells[region] = static_cast<std::uint16_t>(found);
            for (unsigned rest = found; rest != 0; rest &= rest - 1)
                regions_[occupied].of |= Word64{region} << (4 * static_cast<unsigned>(std::countr_zero(rest)));
            left &= ~found;
        }
    }

    unsigned flood(unsigned found, unsigned free) const {
        for (unsigned before = 0; before != found;) {
            before = found;
            for (unsigned rest = before; rest != 0; rest &= rest - 1)
                found |= neighbours_[static_cast<unsigned>(std::countr_zero(rest))] & free;
        }
        return found;
    }

    std::vector<std::uint16_t> neighbours_;
    std::vector<Entry> regions_;
};

class PatternBuilder {
public:
    PatternBuilder(const Board& board, const Pattern& pattern)
        : pattern_(pattern), regions_(board), entries_(pattern.placements(), kUnknown), seen_(pattern.placements()),
          current_(pattern.placements()), next_(pattern.placements()) {
        Word64 goal = 0;
        unsigned occupied = 0;
        for (const int tile : pattern.tiles()) {
            goal |= placed<Word64>(static_cast<unsigned>(tile), static_cast<unsigned>(tile));
            occupied |= 1U << tile;
        }
        current_[pattern.index(goal)] = static_cast<std::uint8_t>(1U << regions_.of(occupied, 0));
    }

    std::vector<std::uint8_t> run(unsigned threads, const BuildProgress& progress) {
        std::uint64_t finished = 0;
        for (unsigned level = 0;; ++level) {
            std::atomic<std::uint64_t> new_regions{0};
            std::atomic<std::uint64_t> new_placements{0};
            scan(threads, [&](std::uint64_t begin, std::uint64_t end) {
                const Counts counts = expand_range(begin, end, static_cast<std::uint8_t>(level));
                new_regions += counts.regions;
                new_placements += counts.placements;
            });
            if (new_regions == 0) return std::move(entries_);
            finished += new_placements;
            if (progress && !progress(level, finished, pattern_.placements())) return {};
            current_.swap(next_);
        }
    }

private:
    static constexpr std::uint8_t kUnknown = 255;

    struct Counts {
        std::uint64_t regions = 0;
        std::uint64_t placements = 0;
    };

    template <class Work>
    void scan(unsigned threads, Work work) {
        const std::uint64_t count = pattern_.placements();
        const std::uint64_t chunk = std::max<std::uint64_t>(4096, count / 256 / 8 * 8);
        std::atomic<std::uint64_t> begin{0};
        const auto loop = [&] {
            for (std::uint64_t from; (from = begin.fetch_add(chunk)) < count;)
                work(from, std::min(from + chunk, count));
        };
        std::vector<std::jthread> helpers;
        for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(loop);
        loop();
    }

    Counts expand_range(std::uint64_t begin, std::uint64_t end, std::uint8_t level) {
        Counts counts;
        for (std::uint64_t index = begin; index < end; ++index) {
            std::uint64_t eight = 0;
            if (index + 8 <= end) std::memcpy(&eight, &current_[index], 8);
            if (index + 8 <= end && eight == 0) {
                index += 7;
                continue;
            }
            if (current_[index] == 0) continue;
            const unsigned regions = current_[index] & ~seen_[index];
            current_[index] = 0;
            if (regions == 0) continue;
            seen_[index] = static_cast<std::uint8_t>(seen_[index] | regions);
            if (entries_[index] == kUnknown) {
                entries_[index] = level;
                ++counts.placements;
            }
            ++counts.regions;
            expand(index, regions);
        }
        return counts;
    }

    void expand(std::uint64_t index, unsigned regions) {
        const Word64 placement = pattern_.placement(index);
        const auto size = static_cast<unsigned>(pattern_.tiles().size());
        std::array<std::uint8_t, 16> tile_at{};
        Word64 positions = 0;
        unsigned occupied = 0;
        for (unsigned i = 0; i < size; ++i) {
            const unsigned at = cell(placement, i);
            const auto tile = static_cast<std::uint8_t>(pattern_.tiles()[i]);
            tile_at[at] = tile;
            positions |= placed<Word64>(at, tile);
            occupied |= 1U << at;
        }
        for (; regions != 0; regions &= regions - 1) {
            unsigned blanks = regions_.cells(occupied, static_cast<unsigned>(std::countr_zero(regions)));
            for (; blanks != 0; blanks &= blanks - 1) {
                const auto to = static_cast<unsigned>(std::countr_zero(blanks));
                unsigned tiles = regions_.neighbours(to) & occupied;
                for (; tiles != 0; tiles &= tiles - 1) {
                    const auto from = static_cast<unsigned>(std::countr_zero(tiles));
                    reach(positions ^ placed<Word64>(from ^ to, tile_at[from]), occupied ^ (1U << from) ^ (1U << to),
                          from);
                }
            }
        }
    }

    void reach(Word64 positions, unsigned occupied, unsigned blank) {
        const std::atomic_ref<std::uint8_t> regions(next_[pattern_.index(positions)]);
        const auto region = static_cast<std::uint8_t>(1U << regions_.of(occupied, blank));
        if ((regions.load(std::memory_order_relaxed) & region) == 0)
            regions.fetch_or(region, std::memory_order_relaxed);
    }

    const Pattern& pattern_;
    Regions regions_;
    std::vector<std::uint8_t> entries_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::uint8_t> current_;
    std::vector<std::uint8_t> next_;
};

}  // namespace

std::vector<std::uint8_t> build_pattern_database(const Board& board, const Pattern& pattern, unsigned threads,
                                                 const BuildProgress& progress) {
    return PatternBuilder(board, pattern).run(std::max(threads, 1U), progress);
}

}  // namespace fsplan
