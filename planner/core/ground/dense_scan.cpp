#include "ground/dense_scan.hpp"

namespace fsplan {

namespace {

template <std::size_t W>
[[gnu::always_inline]] inline void scan(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                                        const Bits<W>& reached, Bits<W>* found) {
    for (std::size_t c = 0; c < class_count; ++c) {
        Lanes brought[W] = {};
        for (const auto *block = blocks + classes[c].begin, *end = blocks + classes[c].end; block < end; ++block) {
            Lanes missing = block->needs[0] & ~reached.words[0];
            for (std::size_t w = 1; w < W; ++w) missing |= block->needs[w] & ~reached.words[w];
            const auto ready = (Lanes)(missing == 0);
            for (std::size_t w = 0; w < W; ++w) brought[w] |= block->brings[w] & ready;
        }
        for (std::size_t w = 0; w < W; ++w) {
            std::uint64_t all = 0;
            for (std::size_t lane = 0; lane < kBlockLanes; ++lane) all |= brought[w][lane];
            found[c].words[w] = all;
        }
    }
}

template <std::size_t W>
void scan_portable(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                   const Bits<W>& reached, Bits<W>* found) {
    scan<W>(blocks, classes, class_count, reached, found);
}

#if defined(__x86_64__)
template <std::size_t W>
[[gnu::target("avx2")]] void scan_avx2(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                                       const Bits<W>& reached, Bits<W>* found) {
    scan<W>(blocks, classes, class_count, reached, found);
}

template <std::size_t W>
[[gnu::target("avx512f,avx512dq,prefer-vector-width=512")]] void scan_avx512(
    const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count, const Bits<W>& reached,
    Bits<W>* found) {
    scan<W>(blocks, classes, class_count, reached, found);
}
#endif

}  // namespace

template <std::size_t W>
DenseScan<W> dense_scan() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return scan_avx512<W>;
    if (__builtin_cpu_supports("avx2")) return scan_avx2<W>;
#endif
    return scan_portable<W>;
}

template DenseScan<1> dense_scan<1>();
template DenseScan<2> dense_scan<2>();
template DenseScan<3> dense_scan<3>();
template DenseScan<4> dense_scan<4>();
template DenseScan<6> dense_scan<6>();
template DenseScan<8> dense_scan<8>();

}  // namespace fsplan
