#include "net/mlp_policy.hpp"

#include "policies/log_softmax.hpp"
#include "policies/random.hpp"

namespace fsplan {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The least difference between scores that matters: for the first choice that of the two best scores, for ranks that of
// any two scores. It is 0 if the scores differ so much that log-probabilities might be clamped at kLogZero.
float margin(std::span<const float> scores, Reading reading) {
    float lowest = kInfinity, highest = -kInfinity, second = -kInfinity;
    for (const float score : scores) {
        second = std::max(second, std::min(score, highest));
        highest = std::max(highest, score);
        lowest = std::min(lowest, score);
    }
    if (highest - lowest > -kLogZero / 2) return 0;
    float least = highest - second;
    if (reading == Reading::first_choice) return least;
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) least = std::min(least, std::abs(scores[i] - scores[j]));
    return least;
}

}  // namespace

MlpPolicy::MlpPolicy(net::Mlp network, Encoding encoding, bool masked)
    : network_(std::move(network)), encoding_(std::move(encoding)), masked_(masked), one_hot_(encoding_.is_one_hot()) {
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
    calibrate();
}

void MlpPolicy::check(const PolicyBatch& batch) const {
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

MlpPolicy::Inputs MlpPolicy::encode(const std::int32_t* values) {
    if (!one_hot_) return {active_.data(), encoding_.apply(values, active_.data())};
    encoding_.apply_one_hot(values, active_.data());
    return {active_.data(), encoding_.width()};
}

void MlpPolicy::calibrate() {
    if (!network_.prepare_integers(encoding_)) return;
    Random random(1, 0);
    std::vector<std::int32_t> values(encoding_.width());
    std::vector<float> margins;
    float largest = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::int32_t>(random.below(encoding_.first[i + 1] - encoding_.first[i]));
        const Inputs active = encode(values.data());
        const std::span<const float> all = network_.integer_logits(active);
        const std::vector<float> rough(all.begin(), all.end());
        const std::span<const float> exact = network_.logits(active);
        for (std::size_t i = 0; i < rough.size(); ++i) largest = std::max(largest, std::abs(rough[i] - exact[i]));
        margins.push_back(margin(exact, Reading::first_choice));
    }
    doubt_ = kDoubt * largest;
    std::nth_element(margins.begin(), margins.begin() + kSamples / 8, margins.end());
    if (margins[kSamples / 8] <= doubt_) network_.forget_integers();
}

bool MlpPolicy::decide(Inputs active, Inputs wanted, Reading reading, std::span<float> out) {
    const std::span<const float> all = network_.integer_logits(active);
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = all[wanted[e]];
    if (!(margin(out, reading) > doubt_)) return false;
    lower_to_zero(out);
    return true;
}

void MlpPolicy::score(Inputs active, Inputs wanted, std::span<float> out) {
    if (masked_) {
        network_.logits(active, wanted, out.data());
        log_softmax(out);
        return;
    }
    const std::span<const float> all = network_.logits(active);
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = all[wanted[e]];
    subtract_clamped(out, log_sum_exp(all));
}

void MlpPolicy::score_in_turn(const PolicyBatch& batch) {
    check(batch);
    const bool decides = batch.reading != Reading::log_probabilities && network_.has_integers();
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::uint32_t begin = batch.edges_begin[i], end = batch.edges_begin[i + 1];
        if (begin == end) continue;
        const Inputs active = encode(batch.values + i * batch.width);
        const Inputs wanted{batch.actions + begin, end - begin};
        const std::span<float> out{batch.log_probabilities + begin, end - begin};
        if (!decides || !decide(active, wanted, batch.reading, out)) score(active, wanted, out);
    }
}

}  // namespace fsplan
