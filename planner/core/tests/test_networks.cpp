// Tests the outputs of networks with every instruction set, and that the value table finds states by their integers.
#include "net/mlp_policy.hpp"
#include "policies/random.hpp"
#include "policies/value_table.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

std::vector<net::Dense> random_layers(const std::vector<std::size_t>& sizes, Random& random) {
    std::vector<net::Dense> layers;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        net::Dense layer{sizes[i], sizes[i + 1], {}, {}};
        for (std::size_t k = 0; k < layer.inputs * layer.outputs; ++k)
            layer.weight.push_back(static_cast<float>(random.normal() / std::sqrt(double(layer.inputs))));
        for (std::size_t k = 0; k < layer.outputs; ++k) layer.bias.push_back(static_cast<float>(random.normal() * 0.1));
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::vector<double> by_definition(const std::vector<net::Dense>& layers, const std::vector<std::uint32_t>& active) {
    std::vector<double> x(layers[0].inputs, 0.0);
    for (const std::uint32_t input : active) x[input] += 1;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        std::vector<double> y(layers[i].bias.begin(), layers[i].bias.end());
        for (std::size_t out = 0; out < layers[i].outputs; ++out)
            for (std::size_t in = 0; in < layers[i].inputs; ++in)
                y[out] += layers[i].weight[out * layers[i].inputs + in] * x[in];
        if (i + 1 < layers.size())
            for (double& value : y) value = std::max(value, 0.0);
        x = std::move(y);
    }
    return x;
}

void test_networks() {
    Random random(1, 2);
    for (const std::vector<std::size_t>& sizes : std::vector<std::vector<std::size_t>>{
             {40, 3}, {40, 100}, {40, 1, 1}, {40, 33, 65, 7}, {40, 161, 17, 130}, {40, 16, 16, 16}}) {
        const std::vector<net::Dense> layers = random_layers(sizes, random);
        for (const std::string& name : net::instruction_sets()) {
            net::Mlp network(layers, net::kernels(name));
            for (int round = 0; round < 20; ++round) {
                std::vector<std::uint32_t> active(random.below(12));
                for (std::uint32_t& input : active) input = static_cast<std::uint32_t>(random.below(40));
                const std::vector<double> expected = by_definition(layers, active);
                const std::span<const float> found = network.logits(active);
                require(found.size() == expected.size(), "as many logits as outputs");
                for (std::size_t i = 0; i < expected.size(); ++i)
                    require(std::abs(found[i] - expected[i]) < 1e-4, "logits by definition");
                const std::uint32_t wanted[] = {static_cast<std::uint32_t>(expected.size() - 1), 0};
                float some[2];
                network.logits(active, wanted, some);
                require(std::abs(some[0] - expected.back()) < 1e-4 && std::abs(some[1] - expected[0]) < 1e-4,
                        "chosen logits");
            }
        }
    }
}

// Integer layers give the same results with all instruction sets; later floating-point layers differ by rounding.
void test_integer_networks() {
    Random random(5, 6);
    const std::vector<std::int32_t> domains{3, 7, 1, 29};
    Encoding encoding = Encoding::one_hot(domains);
    encoding.input[2] = kNoInput;
    for (const std::vector<std::size_t>& sizes : std::vector<std::vector<std::size_t>>{
             {40, 1, 1, 1}, {40, 33, 65, 7}, {40, 160, 80, 16, 4}, {40, 16, 16, 16}}) {
        const std::vector<net::Dense> layers = random_layers(sizes, random);
        for (const std::string& name : net::instruction_sets()) {
            net::Mlp network(layers, net::kernels(name));
            require(network.prepare_integers(encoding), "a network with two hidden layers and few outputs suits");
            for (int round = 0; round < 50; ++round) {
                std::vector<std::int32_t> values;
                for (const std::int32_t size : domains) values.push_back(static_cast<std::int32_t>(random.below(size)));
                std::vector<std::uint32_t> active(values.size());
                active.resize(encoding.apply(values.data(), active.data()));
                const std::vector<double> expected = by_definition(layers, active);
                const std::span<const float> found = network.integer_logits(active);
                for (std::size_t i = 0; i < expected.size(); ++i)
                    require(std::abs(found[i] - expected[i]) < 0.01, "integer logits about as defined");
            }
        }
    }
    net::Mlp wide(random_layers({40, 8, 8, 100}, random), net::kernels());
    require(!wide.prepare_integers(encoding) && !wide.has_integers(), "many outputs do not suit");
}

void test_value_table() {
    const std::vector<std::int32_t> sizes{1, 2, 300, 70000, 5, 1 << 30, 1 << 30, 1 << 30, 1};
    ValueTable table(sizes);
    Random random(3, 4);
    std::vector<std::vector<std::int32_t>> states;
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::int32_t> state;
        for (const std::int32_t size : sizes) state.push_back(static_cast<std::int32_t>(random.below(size)));
        require(table.intern(state.data()).is_new, "random states differ");
        states.push_back(std::move(state));
    }
    for (StateId id = 0; id < states.size(); ++id)
        require(table.find(states[id].data()) == id, "states are found again");
    states[0][1] = 2;
    require(table.find(states[0].data()) == kNoState, "values outside their domain are unknown");
    ValueTable single(std::vector<std::int32_t>(100, 1));
    const std::vector<std::int32_t> zeros(100, 0);
    require(single.intern(zeros.data()).is_new && single.find(zeros.data()) == 0, "variables of one value");
}

}  // namespace

int main() {
    test_networks();
    test_integer_networks();
    test_value_table();
}
