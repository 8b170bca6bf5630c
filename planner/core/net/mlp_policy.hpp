// A policy that evaluates a network. The integers of a state determine the inputs; output a is the logit of action a.
// If the search reads only ranks or the first choice, the integer evaluation (integer_layers.hpp) suffices, unless two
// scores differ by less than kDoubt times the largest difference between integer and float evaluation on random states.
// Softmax is not computed then, because it does not change the order.
#pragma once

#include "contract/policy.hpp"
#include "net/encoding.hpp"
#include "net/mlp.hpp"

namespace fsplan {

class MlpPolicy final : public PolicyWithMemory {
public:
    // If `masked`, the softmax is taken over the applicable actions only, otherwise over all outputs of the network.
    MlpPolicy(net::Mlp network, Encoding encoding, bool masked);

    void score_in_turn(const PolicyBatch& batch) override;
    const net::Mlp& network() const { return network_; }
    const Encoding& encoding() const { return encoding_; }
    bool masked() const { return masked_; }

private:
    using Inputs = std::span<const std::uint32_t>;

    static constexpr float kDoubt = 8;
    static constexpr int kSamples = 64;

    void check(const PolicyBatch& batch) const;
    // Prepares the integer evaluation, unless too many states would need the float evaluation as well.
    void calibrate();
    Inputs encode(const std::int32_t* values);
    // Computes scores by the integer evaluation; returns false if the float evaluation is needed.
    bool decide(Inputs active, Inputs wanted, Reading reading, std::span<float> out);
    void score(Inputs active, Inputs wanted, std::span<float> out);

    net::Mlp network_;
    Encoding encoding_;
    bool masked_;
    bool one_hot_;
    float doubt_ = 0;  // least difference of two scores that the integer evaluation decides
    std::vector<std::uint32_t> active_;
};

}  // namespace fsplan
