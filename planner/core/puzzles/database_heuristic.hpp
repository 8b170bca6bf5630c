// The heuristic that adds up pattern databases of sliding tiles, and the sets of databases that are known by name. A
// move changes the entry of one database only. On square boards the state mirrored at the diagonal gives a second
// value; h is the maximum of both, which is consistent because both are.
#pragma once

#include "puzzles/board.hpp"
#include "puzzles/pattern_database.hpp"
#include "puzzles/tiles_heuristics.hpp"
#include "puzzles/without_guide.hpp"

namespace fsplan {

// A partition of the tiles of a board into patterns. The sum of their databases is the heuristic that `info` declares.
struct TilePartition {
    HeuristicInfo info;
    unsigned columns, rows;
    std::vector<std::vector<int>> patterns;
};

const std::vector<TilePartition>& tile_partitions();

class DatabaseHeuristic : public WithoutGuide {
public:
    using Databases = std::vector<std::shared_ptr<const PatternDatabase>>;

    // Throws std::invalid_argument unless the patterns are disjoint and cover every tile.
    DatabaseHeuristic(const Board& board, Databases databases);

    Evaluation evaluate(Word64 state) const {
        const Cost h = carried(state).h;
        return {h, h};
    }
    Evaluation evaluate_child(Word64, Cost, ActionId, Word64 child) const { return evaluate(child); }

    // The state or its mirror image: the cells of its tiles, and the entries of all databases, one byte each.
    struct View {
        Word64 positions;
        std::uint32_t entries;
        Cost h;
    };
    // Data of a node from which h of its children is computed. Depth-first search (search/depth_first.hpp) stores it
    // for each node of its path.
    struct Carried {
        std::array<View, 2> views;
        Cost h;
    };
    Carried carried(Word64 state) const;
    // The mirror image is not evaluated if h of the state exceeds `most`. Inlined, because a node of IDA* takes only 50 ns.
    [[gnu::always_inline]] Carried carried_to_child(Word64 parent, const Carried& at_parent, ActionId action, Word64,
                                                    Cost most) const {
        const MovedTile moved = moved_tile(board_, parent, action);
        Carried child = at_parent;
        advance(child.views[0], moved.tile, moved.from, moved.to);
        child.h = child.views[0].h;
        if (views_ == 1 || child.h > most) return child;
        advance(child.views[1], transposed_[moved.tile], transposed_[moved.from], transposed_[moved.to]);
        child.h = std::max(child.h, child.views[1].h);
        return child;
    }

private:
    View view(Word64 positions) const;
    [[gnu::always_inline]] void advance(View& view, unsigned tile, unsigned from, unsigned to) const {
        const unsigned number = database_of_[tile];
        const PatternDatabase& database = *databases_[number];
        view.positions ^= placed<Word64>(from ^ to, tile);
        const std::uint32_t before = view.entries >> (8 * number) & 255;
        const std::uint32_t after = database[database.index(view.positions)];
        view.entries ^= (before ^ after) << (8 * number);
        view.h += static_cast<Cost>(after) - static_cast<Cost>(before);
    }

    Board board_;
    Databases databases_;
    unsigned views_ = 1;
    std::array<std::uint8_t, 16> database_of_{};
    std::array<std::uint8_t, 16> transposed_{};
};

}  // namespace fsplan
