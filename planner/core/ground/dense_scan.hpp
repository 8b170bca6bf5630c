// The inner loop of the dense exploration, compiled for several instruction sets and chosen at run time.
//
// Eight operators make a block. Blocks of equal cost are adjacent, a class.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ground/bits.hpp"

namespace fsplan {

inline constexpr std::size_t kBlockLanes = 8;

// A vector extension of the compiler: it becomes one, two or four registers of the processor.
typedef std::uint64_t Lanes __attribute__((vector_size(kBlockLanes * sizeof(std::uint64_t))));

// For each of W words of 64 facts, what the operators need and what they bring. The alignment is said here since what the
// compiler gives Lanes depends on the instruction set.
template <std::size_t W>
struct alignas(sizeof(Lanes)) ScanBlock {
    Lanes needs[W];
    Lanes brings[W];
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
