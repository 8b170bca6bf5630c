// Interchangeable objects of a ground task, and a representative for the states that differ by swaps of such objects.
//
// Two objects are interchangeable if swapping their names maps facts to facts, variables to variables, actions to
// actions of the same cost, rules to rules, and the goal to itself. The swap of a state then has the same cost to go,
// and its actions are the swapped ones. The initial state need not be symmetric. Whether objects are interchangeable is
// checked on the ground task, which also covers types, constants, static atoms and function values: objects that differ
// in one of them have different actions. Some objects are interchangeable only together with others: two rovers, each
// with its camera, or the halves of a board. Then one swap exchanges several pairs of objects at once
// (object_colours.hpp finds such pairs).
//
// Finding the least state of an orbit is hard. Instead, swaps are applied as long as one of them makes the state
// smaller (Pochter, Zohar and Rosenschein 2011). So an orbit may have several representatives, which costs memory but
// not correctness. States are compared as sets of atoms: the smaller state is the one without the last atom in which
// they differ. The checker of proofs compares them in the same way (planner/proofs/check.py).
#pragma once

#include "base/budget.hpp"
#include "task/layout.hpp"
#include "task/object_colours.hpp"
#include "task/task.hpp"

namespace fsplan {

class Symmetries {
public:
    // Variable `to` gets the image of the value of another variable.
    struct Move {
        PackedField from_field, to_field;
        std::vector<Word> image;
        std::vector<Word> rank;  // value of `to` -> its place in the order of states: 0 for "none of those"
    };
    struct Swap {
        ObjectColours::Pairs objects;                        // pairs of symbols that are exchanged at once
        std::vector<std::uint32_t> variables;                // variables that may change, from the last to the first
        std::vector<Move> moves;                             // one per variable
        std::vector<std::pair<ActionId, ActionId>> actions;  // pairs of actions that the swap exchanges

        std::vector<std::string> names(const GroundTask& task) const;  // names of the objects, pair after pair
    };

    Symmetries() = default;  // none
    Symmetries(const GroundTask& task, const Layout& layout, Budget& watch);

    const std::vector<Swap>& swaps() const { return swaps_; }
    // Keeps only the swaps for which kept(swap) is true.
    template <class Kept>
    void keep_if(Kept kept) {
        std::erase_if(swaps_, [&](const Swap& swap) { return !kept(swap); });
    }
    // For each action, the swaps of variables that the action changes.
    Rows swaps_after(const GroundTask& task) const;
    // The first of these swaps that makes the state smaller; the number of all swaps if none does.
    std::size_t first_lowering(std::span<const std::uint32_t> swaps, const Word* state) {
        const auto first = std::ranges::find_if(swaps, [&](auto swap) { return lowers(swaps_[swap], state); });
        return first == swaps.end() ? swaps_.size() : *first;
    }
    // Replaces a state by its representative, and calls applied(swap) for each swap, in this order. No swap before
    // `first` may make the state smaller.
    template <class Applied>
    void normalise(Word* state, Applied applied, std::size_t first = 0) {
        for (bool changed = true; changed; first = 0) {
            changed = false;
            for (std::size_t i = first; i < swaps_.size(); ++i) {
                if (!lowers(swaps_[i], state)) continue;
                apply(swaps_[i], state);
                applied(swaps_[i]);
                changed = true;
            }
        }
    }
    void normalise(Word* state, std::size_t first = 0) {
        normalise(state, [](const Swap&) {}, first);
    }
    // Work of all comparisons of states with their swaps so far: the number of compared variables.
    std::uint64_t work() const { return work_; }

private:
    bool lowers(const Swap& swap, const Word* state) {
        for (const Move& move : swap.moves) {
            ++work_;
            const Word before = move.rank[move.to_field.get(state)];
            const Word after = move.rank[move.image[move.from_field.get(state)]];
            if (after != before) return after < before;
        }
        return false;
    }
    void apply(const Swap& swap, Word* state);

    std::vector<Swap> swaps_;
    std::vector<Word> after_;  // values after a swap, one per move
    std::uint64_t work_ = 0;
};

}  // namespace fsplan
