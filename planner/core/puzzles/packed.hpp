// A permutation packed into one word, cell 0 in the lowest bits: 4 bits per cell (up to 16 cells) or 5 (up to 25).
#pragma once

#include "base/std.hpp"

namespace fsplan {

using Word64 = std::uint64_t;
using Word128 = unsigned __int128;

template <class Word>
inline constexpr unsigned kCellBits = sizeof(Word) == 8 ? 4 : 5;

template <class Word>
inline constexpr unsigned kMaxCells = sizeof(Word) * 8 / kCellBits<Word>;

inline constexpr unsigned kMaxPackedCells = kMaxCells<Word128>;

template <class Word>
constexpr unsigned cell(Word packed, unsigned index) {
    return static_cast<unsigned>(packed >> (index * kCellBits<Word>)) & ((1U << kCellBits<Word>)-1);
}

template <class Word>
constexpr Word placed(unsigned value, unsigned index) {
    return static_cast<Word>(value) << (index * kCellBits<Word>);
}

template <class Word, class Values>
constexpr Word pack(const Values& values) {
    Word packed = 0;
    unsigned index = 0;
    for (const auto value : values) packed |= placed<Word>(static_cast<unsigned>(value), index++);
    return packed;
}

// Mask of the lowest bit of every cell.
template <class Word>
inline constexpr Word kCellOnes = [] {
    Word ones = 0;
    for (unsigned index = 0; index < kMaxCells<Word>; ++index) ones |= placed<Word>(1, index);
    return ones;
}();

constexpr unsigned lowest_bit(Word64 word) { return static_cast<unsigned>(std::countr_zero(word)); }

constexpr unsigned lowest_bit(Word128 word) {
    const auto low = static_cast<Word64>(word);
    return low != 0 ? lowest_bit(low) : 64 + lowest_bit(static_cast<Word64>(word >> 64));
}

// The first cell that contains 0. Unused cells above the last one contain 0, too, but are never the first.
template <class Word>
constexpr unsigned first_zero(Word packed) {
    Word any = packed;
    for (unsigned shift = 1; shift < kCellBits<Word>; ++shift) any |= packed >> shift;
    return lowest_bit(static_cast<Word>(~any & kCellOnes<Word>)) / kCellBits<Word>;
}

template <class Word>
void unpack(Word packed, std::span<std::int32_t> out) {
    for (unsigned index = 0; index < out.size(); ++index) out[index] = static_cast<std::int32_t>(cell(packed, index));
}

}  // namespace fsplan
