// The inner loops of network inference, compiled for several instruction sets and chosen at run time.
// Weights are input-major: each input has a row with its weights for all outputs, so inputs that are zero take no time.
// Rows are padded to kLane floats and start on a 64-byte boundary; the padding is zero. The integer kernels are exact,
// so every instruction set gives the same results; callers choose weights whose sums do not overflow.
#pragma once

#include "base/std.hpp"

namespace fsplan::net {

template <class T>
struct alignas(64) LaneOf {
    static constexpr std::size_t kCount = 64 / sizeof(T);
    T value[kCount];
};
using Lane = LaneOf<float>;

inline constexpr std::size_t kLane = Lane::kCount;

// Output buffers of keep_positive and keep_pairs need kLane additional entries; input x of keep_pairs is padded to whole lanes.
struct Kernels {
    const char* name;
    // out = bias + Σ_k rows[index[k]]; stride is the padded length, in floats, of a row and of out
    void (*sum_rows)(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                     std::size_t count, float* out);
    // out = bias + Σ_k factor[k] · rows[index[k]]
    void (*weigh_rows)(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                       const float* factor, std::size_t count, float* out);
    // ReLU: lists the indices and values of the positive entries of x, returns their number
    std::size_t (*keep_positive)(const float* x, std::size_t size, std::uint32_t* index, float* value);
    // the scalar product a · b; size is a multiple of kLane
    float (*dot)(const float* a, const float* b, std::size_t size);
    // out = max(0, bias + Σ_k rows[index[k]]); stride is a multiple of 32
    void (*sum_short_rows)(const std::int16_t* rows, std::size_t stride, const std::int16_t* bias,
                           const std::uint32_t* index, std::size_t count, std::int16_t* out);
    // lists all p for which the pair (x[2p], x[2p + 1]) is not (0, 0), returns their number
    std::size_t (*keep_pairs)(const std::int16_t* x, std::size_t pairs, std::uint32_t* index);
    // out[j] = scale · (bias[j] + Σ_p x[2p] · rows[p][2j] + x[2p + 1] · rows[p][2j + 1]) over the pairs p listed;
    // stride is a multiple of 32
    void (*weigh_pairs)(const std::int16_t* rows, std::size_t stride, const std::int32_t* bias, const std::int16_t* x,
                        const std::uint32_t* index, std::size_t count, float scale, float* out);
};

// Instruction sets of this build that the processor supports, best first; the last is "portable".
std::vector<std::string> instruction_sets();

// The kernels of an instruction set, by default of the best one. Throws std::invalid_argument if it is not available.
const Kernels& kernels(const std::string& name = {});

}  // namespace fsplan::net
