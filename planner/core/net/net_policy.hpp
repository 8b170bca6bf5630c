// A network as a policy: the state's integers select inputs, the outputs are logits by action number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/mlp.hpp"
#include "policy.hpp"

namespace fsplan {

inline constexpr std::uint32_t kNoInput = 0xFFFFFFFF;

// Value v of integer i of a state switches on input[first[i] + v], or nothing where that is kNoInput. One-hot
// integers number the inputs 0, 1, 2, …; fact bits leave out the values that stand for no atom.
struct Encoding {
    std::vector<std::uint32_t> first;  // one longer than the state is wide
    std::vector<std::uint32_t> input;

    static Encoding one_hot(std::span<const std::int32_t> domain_sizes);
    std::size_t width() const { return first.size() - 1; }
    // The inputs that are on, into `active` (room for width()); returns how many. Throws std::out_of_range for a
    // value outside its domain.
    std::size_t apply(const std::int32_t* values, std::uint32_t* active) const;
};

class NetPolicy final : public Policy {
public:
    // masked: the softmax runs over the applicable actions; otherwise over all outputs, as the paper literally says.
    NetPolicy(net::Mlp network, Encoding encoding, bool masked);

    void score(const PolicyBatch& batch) override;
    const net::Mlp& network() const { return network_; }
    const Encoding& encoding() const { return encoding_; }
    bool masked() const { return masked_; }

private:
    void check(const PolicyBatch& batch) const;

    net::Mlp network_;
    Encoding encoding_;
    bool masked_;
    std::vector<std::uint32_t> active_;
};

}  // namespace fsplan
