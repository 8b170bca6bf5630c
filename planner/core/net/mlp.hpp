// A multilayer perceptron: dense layers with ReLU between them, evaluated for one sparse 0/1 input at a time.
//
// The first layer adds the rows of the inputs that are 1; later layers skip activations that are zero. A last layer
// with many outputs (ground actions) is stored output-major, so that only the requested logits are computed. For
// decisions the first two layers can be evaluated in integers (integer_layers.hpp), which is about twice as fast and
// less precise.
#pragma once

#include "net/encoding.hpp"
#include "net/integer_layers.hpp"
#include "net/kernels.hpp"
#include "policies/log_softmax.hpp"

namespace fsplan::net {

// A layer in the layout of torch.nn.Linear: weight[output * inputs + input].
struct Dense {
    std::size_t inputs;
    std::size_t outputs;
    std::vector<float> weight;
    std::vector<float> bias;
};

// A last layer with more outputs is output-major: one scalar product per requested output is faster than adding rows.
inline constexpr std::size_t kManyOutputs = 64;

inline std::size_t lanes(std::size_t floats) { return (floats + kLane - 1) / kLane; }

inline void check(const std::vector<Dense>& layers) {
    if (layers.empty()) throw std::invalid_argument("a network needs at least one layer");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Dense& layer = layers[i];
        const std::string name = "layer " + std::to_string(i + 1);
        if (layer.inputs == 0 || layer.outputs == 0) throw std::invalid_argument(name + " is empty");
        if (layer.weight.size() / layer.inputs != layer.outputs || layer.weight.size() % layer.inputs != 0 ||
            layer.bias.size() != layer.outputs) {
            throw std::invalid_argument(name + ": weights and bias do not have the shape of the layer");
        }
        if (i > 0 && layer.inputs != layers[i - 1].outputs) {
            throw std::invalid_argument(name + " takes " + std::to_string(layer.inputs) +
                                        " inputs, the layer before gives " + std::to_string(layers[i - 1].outputs));
        }
        if (!all_finite(layer.weight) || !all_finite(layer.bias)) {
            throw std::invalid_argument(name + " has a weight that is not finite");
        }
    }
}

class Mlp {
public:
    // Throws std::invalid_argument if the layers do not fit each other or a number is not finite.
    Mlp(const std::vector<Dense>& layers, const Kernels& kernels) : kernels_(&kernels) {
        check(layers);
        inputs_ = layers.front().inputs;
        outputs_ = layers.back().outputs;
        std::size_t widest = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const bool last = i > 0 && i + 1 == layers.size();
            layers_.push_back(pack(layers[i], last && layers[i].outputs > kManyOutputs));
            widest = std::max({widest, layers[i].outputs, i > 0 ? layers[i].inputs : 0});
            parameters_ += layers[i].weight.size() + layers[i].bias.size();
        }
        sums_.resize(lanes(widest));
        hidden_.resize(lanes(widest));
        index_.resize(widest + 2 * kLane);
        factor_.resize(widest + 2 * kLane);
    }

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }
    std::size_t parameters() const { return parameters_; }
    const char* instruction_set() const { return kernels_->name; }

    // All outputs if the inputs in `active` (each < inputs()) are 1 and the others 0; valid until the next call.
    std::span<const float> logits(std::span<const std::uint32_t> active) {
        run_hidden(active);
        const Layer& last = layers_.back();
        float* out = sums_.data()->value;
        if (layers_.size() == 1) run_first(last, active);
        else if (!last.output_major) run(last);
        else {
            for (std::size_t j = 0; j < outputs_; ++j) out[j] = output(last, j);
        }
        return {out, outputs_};
    }
    // Sets out[i] to the output with number wanted[i] (each < outputs()).
    void logits(std::span<const std::uint32_t> active, std::span<const std::uint32_t> wanted, float* out) {
        const Layer& last = layers_.back();
        if (last.output_major) {
            run_hidden(active);
            for (std::size_t i = 0; i < wanted.size(); ++i) out[i] = output(last, wanted[i]);
            return;
        }
        const std::span<const float> all = logits(active);
        for (std::size_t i = 0; i < wanted.size(); ++i) out[i] = all[wanted[i]];
    }

    // Prepares integer_logits() for inputs of this encoding. Returns false if the network has fewer than two hidden
    // layers or too many outputs.
    bool prepare_integers(const Encoding& encoding) {
        if (layers_.size() < 3 || layers_.back().output_major || encoding.width() > IntegerLayers::kMostIntegers ||
            layers_[0].outputs > IntegerLayers::kMostHidden) {
            return false;
        }
        integers_.emplace(layers_[0].view(), layers_[1].view(), encoding, *kernels_);
        return true;
    }
    void forget_integers() { integers_.reset(); }
    bool has_integers() const { return integers_.has_value(); }
    // Approximate outputs, computed by the integer layers; valid until the next call.
    std::span<const float> integer_logits(std::span<const std::uint32_t> active) {
        float* sums = sums_.data()->value;
        integers_->run(active, sums);
        for (std::size_t i = 2; i < layers_.size(); ++i) {
            activate(i - 1);
            run(layers_[i]);
        }
        return {sums, outputs_};
    }

private:
    struct Layer {
        std::size_t inputs, outputs;
        std::size_t stride;  // floats per row of weights
        bool output_major;
        std::vector<Lane> rows;
        std::vector<Lane> bias;

        const float* weights() const { return rows.data()->value; }
        const float* biases() const { return bias.data()->value; }
        LayerView view() const { return {inputs, outputs, stride, weights(), biases()}; }
    };

    static Layer pack(const Dense& dense, bool output_major) {
        const std::size_t rows = output_major ? dense.outputs : dense.inputs;
        const std::size_t columns = output_major ? dense.inputs : dense.outputs;
        Layer layer{dense.inputs, dense.outputs, lanes(columns) * kLane, output_major, {}, {}};
        layer.rows.resize(rows * lanes(columns));
        layer.bias.resize(lanes(dense.outputs));
        float* weights = layer.rows.data()->value;
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
                const std::size_t from = output_major ? row * dense.inputs + column : column * dense.inputs + row;
                weights[row * layer.stride + column] = dense.weight[from];
            }
        }
        std::copy(dense.bias.begin(), dense.bias.end(), layer.bias.data()->value);
        return layer;
    }
    // Runs all layers but the last. The input of the last layer is then in index_ and factor_ (the positions and values
    // other than 0) and, for an output-major layer, also as a dense vector in input_.
    void run_hidden(std::span<const std::uint32_t> active) {
        for (std::size_t i = 0; i + 1 < layers_.size(); ++i) {
            if (i == 0) run_first(layers_[0], active);
            else run(layers_[i]);
            activate(i);
        }
    }
    // Computes the input of the next layer from sums_, the sums of a hidden layer.
    void activate(std::size_t layer) {
        float* sums = sums_.data()->value;
        if (layers_[layer + 1].output_major) {
            float* hidden = hidden_.data()->value;
            const std::size_t size = layers_[layer].stride;
            for (std::size_t j = 0; j < size; ++j) hidden[j] = std::max(sums[j], 0.0F);
        } else {
            kept_ = kernels_->keep_positive(sums, layers_[layer].outputs, index_.data(), factor_.data());
        }
    }
    void run_first(const Layer& layer, std::span<const std::uint32_t> active) {
        kernels_->sum_rows(layer.weights(), layer.stride, layer.biases(), active.data(), active.size(),
                           sums_.data()->value);
    }
    void run(const Layer& layer) {
        kernels_->weigh_rows(layer.weights(), layer.stride, layer.biases(), index_.data(), factor_.data(), kept_,
                             sums_.data()->value);
    }
    float output(const Layer& layer, std::size_t output) const {
        return layer.biases()[output] +
               kernels_->dot(layer.weights() + output * layer.stride, hidden_.data()->value, layer.stride);
    }

    const Kernels* kernels_;
    std::size_t inputs_ = 0, outputs_ = 0, parameters_ = 0;
    std::vector<Layer> layers_;
    std::optional<IntegerLayers> integers_;
    std::vector<Lane> sums_, hidden_;
    std::vector<std::uint32_t> index_;
    std::vector<float> factor_;
    std::size_t kept_ = 0;
};

}  // namespace fsplan::net
