// How the variables of a ground task share the words of a packed state.
//
// A variable never crosses a word. Derived variables are a function of the others and are not stored: their mask is 0,
// and they are recomputed when a state is unpacked.
#pragma once

#include "task/task.hpp"

namespace fsplan {

using Word = std::uint32_t;
inline constexpr std::uint32_t kWordBits = 32;

struct PackedField {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    Word mask = 0;  // shifted into place; 0 if the variable is not stored

    Word get(const Word* state) const { return (state[word] & mask) >> shift; }
    void set(Word* state, Word value) const { state[word] = (state[word] & ~mask) | (value << shift); }
};

struct Packing {
    std::vector<PackedField> field;  // per variable
    std::size_t words = 1;           // per state; at least one

    std::size_t bytes_per_state() const { return words * sizeof(Word); }
};

Packing pack(const GroundTask& task);

}  // namespace fsplan
