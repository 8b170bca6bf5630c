// The inner loop of the dense exploration, compiled for several instruction sets and chosen at run time.
//
// A block has eight operators. Adjacent blocks of equal cost form a class.
#pragma once

#include "relaxation/bits.hpp"

namespace fsplan {

inline constexpr std::size_t kBlockLanes = 8;

// Preconditions and effects of eight operators, word by word of the W words of facts.
template <std::size_t W>
struct alignas(kBlockLanes * sizeof(std::uint64_t)) ScanBlock {
    std::uint64_t needs[W][kBlockLanes];
    std::uint64_t brings[W][kBlockLanes];
};

struct ClassRange {
    std::uint32_t begin, end;  // blocks
};

// found[c] = effects of the operators of class c whose preconditions are reached
template <std::size_t W>
using DenseScan = void (*)(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                           const Bits<W>& reached, Bits<W>* found);

// The fastest version that this processor supports.
template <std::size_t W>
DenseScan<W> dense_scan();

}  // namespace fsplan
