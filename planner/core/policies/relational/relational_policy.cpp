#include "policies/relational/relational_policy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "policies/untrained.hpp"

namespace fsplan::relational {

namespace {

constexpr std::size_t kMostSums = std::size_t{1} << 20;

HashTable make_table(std::span<const Hash> features, std::span<const float> weights) {
    if (features.size() != weights.size()) throw std::invalid_argument("one weight for each feature is needed");
    HashTable table(features.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
        if (!std::isfinite(weights[i])) throw std::invalid_argument("a weight is not finite");
        if ((features[i] & 3) >= kBlocks) throw std::invalid_argument("a feature of an unknown block");
        table.insert(features[i], weights[i]);
    }
    return table;
}

Block last_of(std::span<const Hash> features) {
    Block last = Block::colours;
    for (const Hash feature : features) last = std::max(last, block_of(feature));
    return last;
}

}  // namespace

RelationalPolicy::RelationalPolicy(const GroundTask& task, const Description& description,
                                   std::span<const Hash> features, std::span<const float> weights)
    : structure_(task, description), weights_(make_table(features, weights)), last_(last_of(features)),
      features_(structure_, last_) {}

void RelationalPolicy::score_in_turn(const PolicyBatch& batch) {
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::size_t begin = batch.edges_begin[i], count = batch.edges_begin[i + 1] - begin;
        features_.set_state({batch.values + i * batch.width, batch.width}, {batch.actions + begin, count});
        const std::span<float> scores{batch.log_probabilities + begin, count};
        for (std::size_t edge = 0; edge < count; ++edge) scores[edge] = total(edge);
        batch.reading == Reading::log_probabilities ? log_softmax(scores) : lower_to_zero(scores);
    }
}

template <class List>
float RelationalPolicy::kept_sum(Hash key, List list) {
    if (const float* known = sums_.find(key)) return *known;
    float sum = 0;
    list([&](Hash feature) { sum += weights_[feature]; });
    if (sums_.size() >= kMostSums) sums_.clear();
    sums_.insert(key, sum);
    return sum;
}

float RelationalPolicy::total(std::size_t edge) {
    float sum = kept_sum(features_.schema_key(edge), [&](auto add) { features_.schema_features(edge, add); });
    for (std::size_t i = 0; i < features_.arity(edge); ++i)
        sum += kept_sum(features_.argument_key(edge, i), [&](auto add) { features_.argument_features(edge, i, add); });
    sum += kept_sum(features_.arguments_key(edge), [&](auto add) { features_.arguments_features(edge, add); });
    sum += kept_sum(features_.links_key(edge), [&](auto add) { features_.link_features(edge, add); });
    const auto add_weight = [&](Hash feature) { sum += weights_[feature]; };
    if (const Hash key = features_.effects_key(edge); key != 0) {
        sum += kept_sum(key, [&](auto add) { features_.effect_features(edge, add); });
    } else {
        features_.effect_features(edge, add_weight);
    }
    features_.relaxed_features(edge, add_weight);
    return sum;
}

}  // namespace fsplan::relational
