// A network as a policy: the integers of a state determine the inputs, the outputs are logits by action number.
//
// If only the order of the actions is read, the integer evaluation decides. The float evaluation is used only if two
// actions are closer than kDoubt times the largest difference between both evaluations on random states. Softmax does
// not change the order.
#pragma once

#include "contract/policy.hpp"
#include "net/encoding.hpp"
#include "net/mlp.hpp"

namespace fsplan {

class MlpPolicy final : public PolicyWithMemory {
public:
    // masked: the softmax is taken over the applicable actions only; otherwise over all outputs of the network.
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
    // Prepares decisions in integers, unless too many of them would need the float evaluation.
    void calibrate();
    Inputs encode(const std::int32_t* values);
    // Decides by the integer evaluation; false if the float evaluation is needed.
    bool decide(Inputs active, Inputs wanted, Reading reading, std::span<float> out);
    void score(Inputs active, Inputs wanted, std::span<float> out);

    net::Mlp network_;
    Encoding encoding_;
    bool masked_;
    bool one_hot_;
    float doubt_ = 0;  // scores closer than this are not distinguished by the integer evaluation
    std::vector<std::uint32_t> active_;
};

}  // namespace fsplan
