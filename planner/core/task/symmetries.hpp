// Interchangeable objects of a ground task, and a representative for the states that differ by swaps of such objects.
//
// Two objects are interchangeable if swapping their names maps facts to facts, variables to variables, actions to
// actions of the same cost, and the goal to itself. The swap of a state then has the same cost to go, and its actions
// are the swapped ones. The start need not be symmetric. Whether objects are interchangeable is checked on the ground
// task, fact by fact and action by action; tasks with derived variables have no symmetries here.
//
// Finding the least state of an orbit is hard. Instead, swaps are applied as long as one of them makes the state
// smaller (Pochter, Zohar and Rosenschein 2011). So an orbit may have several representatives, which costs memory but
// not correctness.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "task/layout.hpp"
#include "task/task.hpp"

namespace fsplan {

class Symmetries {
public:
    Symmetries(const GroundTask& task, const Layout& layout, Budget& watch);

    std::size_t size() const { return swaps_.size(); }
    // Replaces a state by its representative.
    void normalise(Word* state);

private:
    // Variable `to` gets the image of the value of another variable; the moves of a swap are sorted by `to`.
    struct Move {
        std::uint32_t to;
        PackedField from_field, to_field;
        std::vector<Word> image;
    };
    using Swap = std::vector<Move>;

    bool lowers(const Swap& swap, const Word* state) const;
    void apply(const Swap& swap, Word* state);

    std::vector<Swap> swaps_;
    std::vector<Word> after_;  // values after a swap, one per move

    friend class SymmetryFinder;
};

}  // namespace fsplan
