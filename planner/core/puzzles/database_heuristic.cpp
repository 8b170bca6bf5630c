#include "puzzles/database_heuristic.hpp"

namespace fsplan {

namespace {

HeuristicInfo partition_info(const char* name, const char* summary) {
    return {.name = name,
            .summary = summary,
            .properties = {.admissible = true},
            .consistent = true,
            .needs_files = true,
            .strength = 3};
}

}  // namespace

const std::vector<TilePartition>& tile_partitions() {
    static const std::vector<TilePartition> partitions{
        {partition_info("pdb663", "additive pattern databases of 6, 6 and 3 tiles of the 15-puzzle"),
         4,
         4,
         {{1, 4, 5, 8, 9, 12}, {7, 10, 11, 13, 14, 15}, {2, 3, 6}}},
        {partition_info("pdb78", "additive pattern databases of 7 and 8 tiles of the 15-puzzle"),
         4,
         4,
         {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}},
        {partition_info("pdb8", "exact distances of the 8-puzzle, from one database of all tiles"),
         3,
         3,
         {{1, 2, 3, 4, 5, 6, 7, 8}}}};
    return partitions;
}

DatabaseHeuristic::DatabaseHeuristic(const Board& board, Databases databases)
    : board_(board), databases_(std::move(databases)) {
    if (databases_.empty() || databases_.size() > 4) throw std::invalid_argument("one to four databases can be added");
    unsigned covered = 1;
    for (std::size_t number = 0; number < databases_.size(); ++number) {
        const Pattern& pattern = databases_[number]->pattern();
        if (!pattern.is_on(board)) throw std::invalid_argument("a database of another board");
        for (const int tile : pattern.tiles()) {
            if ((covered >> tile & 1) != 0)
                throw std::invalid_argument("the patterns share tile " + std::to_string(tile));
            covered |= 1U << tile;
            database_of_[static_cast<std::size_t>(tile)] = static_cast<std::uint8_t>(number);
        }
    }
    if (covered != (1U << board_.cells()) - 1) throw std::invalid_argument("the patterns do not cover every tile");
    views_ = board_.columns() == board_.rows() ? 2 : 1;
    for (unsigned cell = 0; cell < board_.cells() && views_ == 2; ++cell)
        transposed_[cell] = static_cast<std::uint8_t>(board_.transposed(cell));
}

DatabaseHeuristic::Carried DatabaseHeuristic::carried(Word64 state) const {
    std::array<Word64, 2> positions{};
    for (unsigned at = 0; at < board_.cells(); ++at) {
        const unsigned tile = cell(state, at);
        positions[0] |= placed<Word64>(at, tile);
        positions[1] |= placed<Word64>(transposed_[at], transposed_[tile]);
    }
    const View plain = view(positions[0]);
    const View mirrored = views_ == 2 ? view(positions[1]) : plain;
    return {{plain, mirrored}, std::max(plain.h, mirrored.h)};
}

DatabaseHeuristic::View DatabaseHeuristic::view(Word64 positions) const {
    View view{positions, 0, 0};
    for (std::size_t number = 0; number < databases_.size(); ++number) {
        const std::uint8_t entry = (*databases_[number])[databases_[number]->index(positions)];
        view.entries |= std::uint32_t{entry} << (8 * number);
        view.h += entry;
    }
    return view;
}

}  // namespace fsplan
