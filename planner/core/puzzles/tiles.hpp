// Sliding tiles as a labelled graph: a state is the packed board, an action moves the blank, every move costs 1.
#pragma once

#include "containers/store.hpp"
#include "contract/graph.hpp"
#include "puzzles/board.hpp"
#include "puzzles/packed.hpp"

namespace fsplan {

template <class Word>
class TilesGraph {
public:
    using State = Word;
    using Store = ValueStore<Word>;
    static constexpr bool cheap_states = true;
    static constexpr bool undoable = true;

    TilesGraph(const Board& board, Word start) : board_(board), start_(start) {
        for (unsigned at = 0; at < board.cells(); ++at) goal_ |= placed<Word>(at, at);
    }

    const Board& board() const { return board_; }
    Store make_store() const { return {}; }
    Word start() const { return start_; }
    bool is_goal(Word state) const { return state == goal_; }
    std::size_t action_count() const { return kDirections; }
    std::size_t width() const { return board_.cells(); }
    void values(Word state, std::span<std::int32_t> out) const { unpack(state, out); }

    // Inlined, so that the variables that emit captures stay in registers, which speeds up IDA*.
    template <class Emit>
    [[gnu::always_inline]] void successors(Word state, Emit&& emit) const {
        const unsigned blank = first_zero(state);
        for (const Board::Move move : board_.moves(blank)) {
            const unsigned tile = cell(state, move.cell);
            emit(ActionId{move.action}, Cost{1},
                 static_cast<Word>(state ^ placed<Word>(tile, move.cell) ^ placed<Word>(tile, blank)));
        }
    }

private:
    Board board_;
    Word start_;
    Word goal_ = 0;
};

}  // namespace fsplan
