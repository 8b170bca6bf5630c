// Pancakes as a labelled graph. A state is the packed stack, top first, with sizes 0 to n - 1; action k flips the top k
// + 2 pancakes; every flip costs 1.
#pragma once

#include <cstdlib>

#include "containers/store.hpp"
#include "contract/graph.hpp"
#include "contract/heuristic.hpp"
#include "puzzles/packed.hpp"
#include "puzzles/without_guide.hpp"

namespace fsplan {

template <class Word>
class PancakeGraph {
public:
    using State = Word;
    using Store = ValueStore<Word>;
    static constexpr bool cheap_states = true;
    static constexpr bool undoable = true;

    PancakeGraph(unsigned count, Word start) : count_(count), start_(start) {
        for (unsigned at = 0; at < count; ++at) goal_ |= placed<Word>(at, at);
    }

    Store make_store() const { return {}; }
    Word start() const { return start_; }
    bool is_goal(Word state) const { return state == goal_; }
    std::size_t action_count() const { return count_ - 1; }
    std::size_t width() const { return count_; }
    void values(Word state, std::span<std::int32_t> out) const { unpack(state, out); }

    template <class Emit>
    void successors(Word state, Emit&& emit) const {
        Word flipped = state & kLowest;
        Word below = ~kLowest;
        for (unsigned flip = 2; flip <= count_; ++flip) {
            below <<= kCellBits<Word>;
            flipped = flipped << kCellBits<Word> | cell(state, flip - 1);
            emit(ActionId{flip - 2}, Cost{1}, static_cast<Word>(flipped | (state & below)));
        }
    }

private:
    static constexpr Word kLowest = (1U << kCellBits<Word>)-1;

    unsigned count_;
    Word start_;
    Word goal_ = 0;
};

// The gap heuristic: the number of adjacent pairs, the plate included, whose sizes differ by more than 1.
template <class Word>
class Gap : public WithoutGuide {
public:
    static constexpr HeuristicInfo info{.name = "gap",
                                        .summary = "adjacent pairs, plate included, whose sizes differ by more than 1",
                                        .properties = {.admissible = true},
                                        .consistent = true,
                                        .strength = 1};

    explicit Gap(unsigned count) : count_(count) {}

    Evaluation evaluate(Word state) const {
        Cost h = 0;
        for (unsigned at = 0; at < count_; ++at) h += is_gap(cell(state, at), size_at(state, at + 1));
        return {h, h};
    }
    // A flip replaces one adjacent pair by another; all other pairs stay adjacent.
    Evaluation evaluate_child(Word parent, Cost parent_h, ActionId action, Word) const {
        const unsigned flip = action + 2;
        const unsigned below = size_at(parent, flip);
        const Cost h = parent_h - is_gap(cell(parent, flip - 1), below) + is_gap(cell(parent, 0), below);
        return {h, h};
    }

private:
    unsigned size_at(Word state, unsigned at) const { return at < count_ ? cell(state, at) : count_; }
    static Cost is_gap(unsigned upper, unsigned lower) { return upper + 1 != lower && lower + 1 != upper ? 1 : 0; }

    unsigned count_;
};

}  // namespace fsplan
