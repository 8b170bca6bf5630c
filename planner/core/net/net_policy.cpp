#include "net/net_policy.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "net/log_softmax.hpp"

namespace fsplan {

Encoding Encoding::one_hot(std::span<const std::int32_t> domain_sizes) {
    Encoding encoding;
    std::uint32_t next = 0;
    encoding.first.push_back(0);
    for (const std::int32_t size : domain_sizes) {
        if (size <= 0) throw std::invalid_argument("a domain is empty");
        next += static_cast<std::uint32_t>(size);
        encoding.first.push_back(next);
    }
    encoding.input.resize(next);
    for (std::uint32_t i = 0; i < next; ++i) encoding.input[i] = i;
    return encoding;
}

std::size_t Encoding::apply(const std::int32_t* values, std::uint32_t* active) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
        const std::uint32_t value = static_cast<std::uint32_t>(values[i]);
        if (value >= first[i + 1] - first[i]) {
            throw std::out_of_range("value " + std::to_string(values[i]) + " of integer " + std::to_string(i) +
                                    " of a state is outside what the policy knows");
        }
        const std::uint32_t on = input[first[i] + value];
        active[count] = on;
        count += on != kNoInput ? 1 : 0;
    }
    return count;
}

NetPolicy::NetPolicy(net::Mlp network, Encoding encoding, bool masked)
    : network_(std::move(network)), encoding_(std::move(encoding)), masked_(masked) {
    if (encoding_.first.empty() || encoding_.first.back() != encoding_.input.size()) {
        throw std::invalid_argument("the encoding does not cover the domains");
    }
    for (const std::uint32_t input : encoding_.input) {
        if (input != kNoInput && input >= network_.inputs()) {
            throw std::invalid_argument("the encoding uses input " + std::to_string(input) + ", the network has " +
                                        std::to_string(network_.inputs()));
        }
    }
    active_.resize(encoding_.width() + 1);
}

void NetPolicy::check(const PolicyBatch& batch) const {
    if (batch.width != encoding_.width()) {
        throw std::invalid_argument("the policy reads states of " + std::to_string(encoding_.width()) +
                                    " integers, these have " + std::to_string(batch.width));
    }
    for (std::uint32_t e = batch.edges_begin[0]; e < batch.edges_begin[batch.size]; ++e) {
        if (batch.actions[e] >= network_.outputs()) {
            throw std::out_of_range("action " + std::to_string(batch.actions[e]) + " is beyond the policy's " +
                                    std::to_string(network_.outputs()) + " outputs");
        }
    }
}

void NetPolicy::score(const PolicyBatch& batch) {
    check(batch);
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::uint32_t begin = batch.edges_begin[i], end = batch.edges_begin[i + 1];
        if (begin == end) continue;
        const std::size_t count = encoding_.apply(batch.values + i * batch.width, active_.data());
        const std::span<const std::uint32_t> active{active_.data(), count};
        const std::span<const std::uint32_t> wanted{batch.actions + begin, end - begin};
        const std::span<float> out{batch.log_probabilities + begin, end - begin};
        if (masked_) {
            network_.logits(active, wanted, out.data());
            net::log_softmax(out);
            continue;
        }
        const std::span<const float> all = network_.logits(active);
        for (std::size_t e = 0; e < out.size(); ++e) out[e] = all[wanted[e]];
        net::subtract_clamped(out, net::log_sum_exp(all));
    }
}

}  // namespace fsplan
