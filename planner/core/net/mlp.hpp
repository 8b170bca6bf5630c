// A multilayer perceptron, dense layers with ReLU between them, evaluated one sparse 0/1 input at a time.
//
// The first layer adds the rows of the inputs that are 1; later layers skip activations that are zero. A last layer
// with many outputs (ground actions) is stored output-major, so that only the requested logits are computed. For
// decisions the first two layers can be evaluated in integers (integer_layers.hpp), which is about twice as fast and
// less precise.
#pragma once

#include "net/encoding.hpp"
#include "net/integer_layers.hpp"
#include "net/kernels.hpp"

namespace fsplan::net {

// A layer in the layout of torch.nn.Linear: weight[output * inputs + input].
struct Dense {
    std::size_t inputs;
    std::size_t outputs;
    std::vector<float> weight;
    std::vector<float> bias;
};

bool all_finite(std::span<const float> numbers);

class Mlp {
public:
    // Throws std::invalid_argument if the layers do not fit each other or a number is not finite.
    Mlp(const std::vector<Dense>& layers, const Kernels& kernels);

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }
    std::size_t parameters() const { return parameters_; }
    const char* instruction_set() const { return kernels_->name; }

    // Every output for the inputs in `active` (each < inputs()); valid until the next call.
    std::span<const float> logits(std::span<const std::uint32_t> active);
    // out[i] = the output wanted[i] (each < outputs()).
    void logits(std::span<const std::uint32_t> active, std::span<const std::uint32_t> wanted, float* out);

    // Prepares integer_logits() for inputs of this encoding. Returns false if the network has fewer than two hidden
    // layers or too many outputs.
    bool prepare_integers(const Encoding& encoding);
    void forget_integers() { integers_.reset(); }
    bool has_integers() const { return integers_.has_value(); }
    // Approximate outputs; valid until the next call.
    std::span<const float> integer_logits(std::span<const std::uint32_t> active);

private:
    struct Layer {
        std::size_t inputs, outputs;
        std::size_t stride;  // floats per row
        bool output_major;
        std::vector<Lane> rows;
        std::vector<Lane> bias;

        const float* weights() const { return rows.data()->value; }
        const float* biases() const { return bias.data()->value; }
        LayerView view() const { return {inputs, outputs, stride, weights(), biases()}; }
    };

    static Layer pack(const Dense& dense, bool output_major);
    // Runs all layers but the last. The input of the last layer is then in index_ and factor_ (the positions and values
    // other than 0) and, for an output-major layer, also as a dense vector in input_.
    void run_hidden(std::span<const std::uint32_t> active);
    // Computes the input of the next layer from sums_, the sums of a hidden layer.
    void activate(std::size_t layer);
    void run_first(const Layer& layer, std::span<const std::uint32_t> active);
    void run(const Layer& layer);
    float output(const Layer& layer, std::size_t output) const;

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
