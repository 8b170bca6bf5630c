// The inner loops of network inference, compiled for several instruction sets and chosen at run time.
//
// Weights are input-major: the row of an input holds what it adds to every output, so an input that is zero costs
// nothing. Rows are padded to kLane floats and start on a 64-byte boundary; the padding is zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fsplan::net {

inline constexpr std::size_t kLane = 16;

struct alignas(64) Lane {
    float value[kLane];
};

// Buffers that keep_positive writes to need kLane entries beyond `size`.
struct Kernels {
    const char* name;
    // out = bias + Σ_k rows[index[k]]; stride, in floats, is the padded length of a row and of out
    void (*sum_rows)(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                     std::size_t count, float* out);
    // out = bias + Σ_k factor[k] · rows[index[k]]
    void (*weigh_rows)(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                       const float* factor, std::size_t count, float* out);
    // ReLU: lists the positive entries of x, returns how many there are
    std::size_t (*keep_positive)(const float* x, std::size_t size, std::uint32_t* index, float* value);
    // a · b; size is a multiple of kLane
    float (*dot)(const float* a, const float* b, std::size_t size);
};

// Instruction sets this build has and this processor runs, best first; the last is "portable".
std::vector<std::string> instruction_sets();

// An empty name means the best. Throws std::invalid_argument for one that is not available.
const Kernels& kernels(const std::string& name = {});

}  // namespace fsplan::net
