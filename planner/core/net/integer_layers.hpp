// The first two layers of a network in 16-bit integers. These take half the memory of floats, and a register holds
// twice as many.
// Weights and biases are rounded to multiples of 1 / scale. The scale of each layer is the largest one for which no
// state of the encoding makes a sum overflow; sums of the first layer have 16 bits, those of the second have 32.
#pragma once

#include "net/encoding.hpp"
#include "net/kernels.hpp"

namespace fsplan::net {

// The weights of a layer in the form in which Mlp stores them: one row of `stride` floats per input.
struct LayerView {
    std::size_t inputs, outputs, stride;
    const float* weights;
    const float* biases;

    double weight(std::size_t input, std::size_t output) const { return weights[input * stride + output]; }
};

inline constexpr std::size_t kShorts = LaneOf<std::int16_t>::kCount;

// Bounds on sums before rounding. Rounding adds at most half a unit per weight; with kMostIntegers and kMostHidden
// weights the sums stay within the limits of the integer types.
inline constexpr double kShortLimit = 32000;

inline constexpr double kSumLimit = 1 << 30;

inline std::size_t short_lanes(std::size_t shorts) { return (shorts + kShorts - 1) / kShorts; }

// Least and greatest value that a partial sum can have, in any order of summation.
struct Range {
    double least = 0;
    double greatest = 0;

    void add(double low, double high) {
        least += std::min(low, 0.0);
        greatest += std::max(high, 0.0);
    }
    double width() const { return std::max(greatest, -least); }
};

inline Range range_of(const LayerView& layer, std::size_t output, const Encoding& encoding) {
    Range range;
    range.add(layer.biases[output], layer.biases[output]);
    for (std::size_t i = 0; i < encoding.width(); ++i) {
        double low = 0;
        double high = 0;
        for (std::uint32_t k = encoding.first[i]; k < encoding.first[i + 1]; ++k) {
            if (encoding.input[k] == kNoInput) continue;
            low = std::min(low, layer.weight(encoding.input[k], output));
            high = std::max(high, layer.weight(encoding.input[k], output));
        }
        range.add(low, high);
    }
    return range;
}

// Rounds the weight. It is clamped because the scale disregards inputs that no state activates, whose weights may be too large.
inline std::int16_t rounded(double weight) {
    return static_cast<std::int16_t>(std::lround(std::clamp(weight, -kShortLimit, kShortLimit)));
}

inline double scale_within(double limit, double width) { return width > 0 ? limit / width : 1; }

class IntegerLayers {
public:
    // Limits on the number of integers per state and on the number of outputs of the first layer.
    static constexpr std::size_t kMostIntegers = 1024;
    static constexpr std::size_t kMostHidden = 1 << 14;

    IntegerLayers(const LayerView& first, const LayerView& second, const Encoding& encoding, const Kernels& kernels)
        : kernels_(&kernels), first_stride_(short_lanes(first.outputs) * kShorts),
          second_stride_(short_lanes(2 * second.outputs) * kShorts) {
        pack_second(second, pack_first(first, encoding));
        hidden_.resize(first_stride_ / kShorts);
        index_.resize(first_stride_ / 2 + kLane);
    }

    // Computes the outputs of the second layer before ReLU; `sums` is padded to whole lanes.
    void run(std::span<const std::uint32_t> active, float* sums) {
        std::int16_t* hidden = hidden_.data()->value;
        kernels_->sum_short_rows(first_rows_.data()->value, first_stride_, first_bias_.data()->value, active.data(),
                                 active.size(), hidden);
        const std::size_t kept = kernels_->keep_pairs(hidden, first_stride_ / 2, index_.data());
        kernels_->weigh_pairs(second_rows_.data()->value, second_stride_, second_bias_.data()->value, hidden,
                              index_.data(), kept, unit_, sums);
    }

private:
    // Rounds and stores the weights of the first layer. Returns an upper bound on each of its outputs after ReLU,
    // multiplied by first_scale_.
    std::vector<double> pack_first(const LayerView& layer, const Encoding& encoding) {
        std::vector<double> greatest(layer.outputs);
        double widest = 0;
        for (std::size_t output = 0; output < layer.outputs; ++output) {
            const Range range = range_of(layer, output, encoding);
            greatest[output] = range.greatest;
            widest = std::max(widest, range.width());
        }
        first_scale_ = scale_within(kShortLimit, widest);
        first_rows_.resize(layer.inputs * short_lanes(layer.outputs));
        first_bias_.resize(short_lanes(layer.outputs));
        for (std::size_t output = 0; output < layer.outputs; ++output) {
            greatest[output] *= first_scale_;
            first_bias_.data()->value[output] = rounded(layer.biases[output] * first_scale_);
            for (std::size_t input = 0; input < layer.inputs; ++input)
                first_rows_.data()->value[input * first_stride_ + output] =
                    rounded(layer.weight(input, output) * first_scale_);
        }
        return greatest;
    }
    void pack_second(const LayerView& layer, std::span<const double> greatest) {
        double widest = 0;
        double largest = 0;
        for (std::size_t output = 0; output < layer.outputs; ++output) {
            Range range;
            range.add(layer.biases[output] * first_scale_, layer.biases[output] * first_scale_);
            for (std::size_t input = 0; input < layer.inputs; ++input) {
                const double weight = layer.weight(input, output);
                range.add(weight * greatest[input], weight * greatest[input]);
                largest = std::max(largest, std::abs(weight));
            }
            widest = std::max(widest, range.width());
        }
        const double scale = std::min(scale_within(kSumLimit, widest), scale_within(kShortLimit, largest));
        unit_ = static_cast<float>(1 / (first_scale_ * scale));
        second_rows_.resize((layer.inputs + 1) / 2 * short_lanes(2 * layer.outputs));
        second_bias_.resize(short_lanes(2 * layer.outputs));
        for (std::size_t output = 0; output < layer.outputs; ++output) {
            second_bias_.data()->value[output] =
                static_cast<std::int32_t>(std::lround(layer.biases[output] * first_scale_ * scale));
            for (std::size_t input = 0; input < layer.inputs; ++input)
                second_rows_.data()->value[input / 2 * second_stride_ + 2 * output + input % 2] =
                    rounded(layer.weight(input, output) * scale);
        }
    }

    const Kernels* kernels_;
    double first_scale_ = 1;
    float unit_ = 1;  // factor from integer sums of the second layer to its outputs
    std::size_t first_stride_, second_stride_;
    std::vector<LaneOf<std::int16_t>> first_rows_, first_bias_, second_rows_, hidden_;
    std::vector<LaneOf<std::int32_t>> second_bias_;
    std::vector<std::uint32_t> index_;
};

}  // namespace fsplan::net
