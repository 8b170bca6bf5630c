#include "relaxation/dense_scan.hpp"

#include "base/system.hpp"

namespace fsplan {

namespace {

// Vector type of the compiler. If it is wider than the registers of the processor, lanes are compared one by one.
template <std::size_t lanes>
struct Vector {
    typedef std::uint64_t Register __attribute__((vector_size(lanes * sizeof(std::uint64_t)), may_alias));

    [[gnu::always_inline]] static const Register& at(const std::uint64_t* numbers) {
        return *reinterpret_cast<const Register*>(numbers);
    }
};

template <std::size_t W, std::size_t lanes>
[[gnu::always_inline]] inline void scan(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                                        const Bits<W>& reached, Bits<W>* found) {
    using Registers = Vector<lanes>;
    using Register = typename Registers::Register;
    for (std::size_t c = 0; c < class_count; ++c) {
        Register brought[W] = {};
        for (const auto *block = blocks + classes[c].begin, *end = blocks + classes[c].end; block < end; ++block) {
            for (std::size_t lane = 0; lane < kBlockLanes; lane += lanes) {
                Register missing = Registers::at(block->needs[0] + lane) & ~reached.words[0];
                for (std::size_t w = 1; w < W; ++w)
                    missing |= Registers::at(block->needs[w] + lane) & ~reached.words[w];
                const auto ready = (Register)(missing == 0);
                for (std::size_t w = 0; w < W; ++w) brought[w] |= Registers::at(block->brings[w] + lane) & ready;
            }
        }
        for (std::size_t w = 0; w < W; ++w) {
            std::uint64_t all = 0;
            for (std::size_t lane = 0; lane < lanes; ++lane) all |= brought[w][lane];
            found[c].words[w] = all;
        }
    }
}

template <std::size_t W>
void scan_portable(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                   const Bits<W>& reached, Bits<W>* found) {
    scan<W, 2>(blocks, classes, class_count, reached, found);
}

#if defined(__x86_64__)
template <std::size_t W>
[[gnu::target("avx2")]] void scan_avx2(const ScanBlock<W>* blocks, const ClassRange* classes, std::size_t class_count,
                                       const Bits<W>& reached, Bits<W>* found) {
    scan<W, 4>(blocks, classes, class_count, reached, found);
}

template <std::size_t W>
[[gnu::target("avx512f,avx512dq,prefer-vector-width=512")]] void scan_avx512(const ScanBlock<W>* blocks,
                                                                             const ClassRange* classes,
                                                                             std::size_t class_count,
                                                                             const Bits<W>& reached, Bits<W>* found) {
    scan<W, 8>(blocks, classes, class_count, reached, found);
}
#endif

}  // namespace

template <std::size_t W>
DenseScan<W> dense_scan() {
#if defined(__x86_64__)
    if (has_avx512()) return scan_avx512<W>;
    if (has_avx2()) return scan_avx2<W>;
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
