#include "net/kernels.hpp"

#include "base/system.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define FSPLAN_X86 1
#endif

namespace fsplan::net {
namespace {

#define FSPLAN_ISA portable
#define FSPLAN_NAME "portable"
#define FSPLAN_LANES 4
#define FSPLAN_TARGET
#include "net/kernels.inl"
#undef FSPLAN_ISA
#undef FSPLAN_NAME
#undef FSPLAN_LANES
#undef FSPLAN_TARGET

#ifdef FSPLAN_X86
#define FSPLAN_ISA avx2
#define FSPLAN_NAME "avx2"
#define FSPLAN_LANES 8
#define FSPLAN_TARGET __attribute__((target("avx2,fma")))
#include "net/kernels.inl"
#undef FSPLAN_ISA
#undef FSPLAN_NAME
#undef FSPLAN_LANES
#undef FSPLAN_TARGET

#define FSPLAN_ISA avx512
#define FSPLAN_NAME "avx512"
#define FSPLAN_LANES 16
#define FSPLAN_TARGET __attribute__((target("avx512f,avx512bw,avx2,fma,popcnt")))
#include "net/kernels.inl"
#undef FSPLAN_ISA
#undef FSPLAN_NAME
#undef FSPLAN_LANES
#undef FSPLAN_TARGET
#endif

std::vector<const Kernels*> available() {
    std::vector<const Kernels*> found;
#ifdef FSPLAN_X86
    if (has_avx512()) found.push_back(&avx512::kAll);
    if (has_avx2()) found.push_back(&avx2::kAll);
#endif
    found.push_back(&portable::kAll);
    return found;
}

}  // namespace

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const Kernels* kernels : available()) names.emplace_back(kernels->name);
    return names;
}

const Kernels& kernels(const std::string& name) {
    for (const Kernels* kernels : available()) {
        if (name.empty() || name == kernels->name) return *kernels;
    }
    throw std::invalid_argument("instruction set " + name + " is not available here");
}

}  // namespace fsplan::net
