// Tests on random walks, for all kinds of boards, that values computed from the parent's equal values from scratch.
#include "puzzles/pancake.hpp"
#include "puzzles/pattern_database.hpp"
#include "puzzles/tiles.hpp"
#include "puzzles/tiles_heuristics.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

template <class Graph, class Heuristic>
void walk(const Graph& graph, const Heuristic& heuristic) {
    using State = typename Graph::State;
    State state = graph.start();
    std::uint64_t random = 1;
    for (int step = 0; step < 3000; ++step) {
        const Cost h = heuristic.evaluate(state).h;
        std::vector<State> children;
        graph.successors(state, [&](ActionId action, Cost, State child) {
            require(heuristic.evaluate_child(state, h, action, child).h == heuristic.evaluate(child).h,
                    "incremental h");
            bool undone = false;
            graph.successors(child, [&](ActionId, Cost, State back) { undone = undone || back == state; });
            require(undone, "an action can be undone");
            children.push_back(child);
        });
        random = mix(random + 1);
        state = children[random % children.size()];
    }
}

template <class Word>
void walk_board(unsigned columns, unsigned rows) {
    const Board board(columns, rows);
    std::vector<int> goal;
    for (unsigned tile = 0; tile < board.cells(); ++tile) goal.push_back(static_cast<int>(tile));
    const TilesGraph<Word> graph(board, pack<Word>(goal));
    require(graph.is_goal(graph.start()), "goal");
    walk(graph, Manhattan<Word>(board));
    walk(graph, LinearConflict<Word>(board));
}

template <class Word>
void walk_stack(unsigned count) {
    std::vector<int> goal;
    for (unsigned size = 0; size < count; ++size) goal.push_back(static_cast<int>(size));
    walk(PancakeGraph<Word>(count, pack<Word>(goal)), Gap<Word>(count));
}

void number_placements(const Board& board, const Pattern& pattern) {
    for (std::uint64_t index = 0; index < pattern.placements(); index += 7) {
        const Word64 placement = pattern.placement(index);
        Word64 positions = 0;
        for (unsigned i = 0; i < pattern.tiles().size(); ++i)
            positions |= placed<Word64>(cell(placement, i), static_cast<unsigned>(pattern.tiles()[i]));
        require(pattern.index(positions) == index, "index of a placement");
    }
    const auto entries = build_pattern_database(board, pattern, 2, nullptr);
    require(entries.size() == pattern.placements(), "an entry a placement");
    for (const std::uint8_t entry : entries) require(entry < 100, "every placement is reached");
}

}  // namespace

int main() {
    for (unsigned columns = 2; columns <= 5; ++columns)
        for (unsigned rows = 2; rows <= 5; ++rows)
            columns* rows <= 16 ? walk_board<Word64>(columns, rows) : walk_board<Word128>(columns, rows);
    for (const unsigned count : {2U, 3U, 9U, 16U}) walk_stack<Word64>(count);
    for (const unsigned count : {17U, 20U, 25U}) walk_stack<Word128>(count);
    number_placements(Board(4, 4), Pattern(Board(4, 4), {2, 15, 7, 1}));
    number_placements(Board(3, 3), Pattern(Board(3, 3), {8, 1, 5, 3, 2, 4}));
    number_placements(Board(5, 2), Pattern(Board(5, 2), {9, 1, 3}));
}
