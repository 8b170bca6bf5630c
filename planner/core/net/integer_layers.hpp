// The first two layers of a network in 16-bit integers, which take half the memory and twice as many of which fit into
// a register.
//
// Weights are rounded to multiples of 1 / scale, with the largest scales for which no state that the encoding allows
// can overflow: 16 bits for the sums of the first layer, 32 for those of the second. Biases count as weights.
#pragma once

#include "net/encoding.hpp"
#include "net/kernels.hpp"

namespace fsplan::net {

// The weights of a layer as Mlp keeps them, one row of `stride` floats per input.
struct LayerView {
    std::size_t inputs, outputs, stride;
    const float* weights;
    const float* biases;

    double weight(std::size_t input, std::size_t output) const { return weights[input * stride + output]; }
};

class IntegerLayers {
public:
    // Limits: integers per state, and outputs of the first layer.
    static constexpr std::size_t kMostIntegers = 1024;
    static constexpr std::size_t kMostHidden = 1 << 14;

    IntegerLayers(const LayerView& first, const LayerView& second, const Encoding& encoding, const Kernels& kernels);

    // Computes the outputs of the second layer before ReLU, padded to lanes of floats.
    void run(std::span<const std::uint32_t> active, float* sums);

private:
    // Returns the greatest value of each output after ReLU, in units of the first scale.
    std::vector<double> pack_first(const LayerView& layer, const Encoding& encoding);
    void pack_second(const LayerView& layer, std::span<const double> greatest);

    const Kernels* kernels_;
    double first_scale_ = 1;
    float unit_ = 1;  // value of one unit in the sums of the second layer
    std::size_t first_stride_, second_stride_;
    std::vector<LaneOf<std::int16_t>> first_rows_, first_bias_, second_rows_, hidden_;
    std::vector<LaneOf<std::int32_t>> second_bias_;
    std::vector<std::uint32_t> index_;
};

}  // namespace fsplan::net
