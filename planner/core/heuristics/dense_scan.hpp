// The inner loop of the dense exploration, compiled for several instruction sets and chosen at run time.
//
// Eight operators make a block. Blocks of equal cost are adjacent, a class.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heuristics/bits.hpp"

namespace fsplan {

inline constexpr std::size_t kBlockLanes = 8;

// For each of W words of 64 facts, what the operators need and what they bring.
template <std::size_t W>
struct alignas(kBlockLanes * sizeof(std::uint64_t)) ScanBlock {
    std::uint64_t needs[W][kBlockLanes];
    std::uint64_t brings[W][kBlockLanes];
};

struct ClassRange {
    std::uint32_t begin, end;  // blocks
};

// found[c] = what those operators of class c bring whose needs are reached
template <std::size_t W>
using DenseScan = void (*)(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                           const Bits<W>& reached, Bits<W>* found);

// The best one that this processor runs.
template <std::size_t W>
DenseScan<W> dense_scan();

}  // namespace fsplan
