#include "policies/relational/relational_policy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "policies/untrained.hpp"

namespace fsplan::relational {

namespace {

bool are_finite(std::span<const float> weights) {
    return std::all_of(weights.begin(), weights.end(), [](float weight) { return std::isfinite(weight); });
}

}  // namespace

bool reads_successors(std::span<const Hash> features) {
    return std::any_of(features.begin(), features.end(),
                       [](Hash feature) { return block_of(feature) == Block::guides; });
}

RelationalPolicy::RelationalPolicy(const GroundTask& task, const Description& description,
                                   std::span<const Hash> features, std::span<const float> weights,
                                   std::span<const float> first_weights)
    : structure_(task, description), reads_successors_(reads_successors(features)), features_(structure_),
      sums_(features_, features, weights) {
    if (!are_finite(weights) || !are_finite(first_weights)) throw std::invalid_argument("a weight is not finite");
    if (reads_successors_ && first_weights.empty())
        throw std::invalid_argument("features of successors need a shortlist");
    if (!first_weights.empty()) first_sums_.emplace(features_, features, first_weights);
}

void RelationalPolicy::score_in_turn(const PolicyBatch& batch) {
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::size_t begin = batch.edges_begin[i], count = batch.edges_begin[i + 1] - begin;
        features_.set_state({batch.values + i * batch.width, batch.width}, {batch.actions + begin, count});
        const std::span<float> scores{batch.log_probabilities + begin, count};
        FeatureSums& sums = first_sums_ ? *first_sums_ : sums_;
        for (std::size_t edge = 0; edge < count; ++edge) scores[edge] = sums.sum(edge);
        if (first_sums_ && count > 1) decide_among_best(scores);
        batch.reading == Reading::log_probabilities ? log_softmax(scores) : lower_to_zero(scores);
    }
}

// Lists the edges by descending score; ties are broken by the lower index.
void RelationalPolicy::list_best(std::span<const float> scores) {
    best_.clear();
    for (std::uint32_t edge = 0; edge < scores.size(); ++edge) {
        if (best_.size() == kShortlist && scores[edge] <= scores[best_.back()]) continue;
        if (best_.size() == kShortlist) best_.pop_back();
        const auto better = [&](float score, std::uint32_t other) { return score > scores[other]; };
        best_.insert(std::upper_bound(best_.begin(), best_.end(), scores[edge], better), edge);
    }
}

void RelationalPolicy::decide_among_best(std::span<float> scores) {
    list_best(scores);
    if (reads_successors_) features_.compare(best_);
    second_.clear();
    for (const std::uint32_t edge : best_)
        second_.push_back(sums_.sum(edge) + (reads_successors_ ? sums_.sum_of_guides(edge) : 0));
    const auto [least, greatest] = std::minmax_element(second_.begin(), second_.end());
    const float first = scores[best_.front()];
    for (float& score : scores) score += *least - *greatest;
    for (std::size_t i = 0; i < best_.size(); ++i) scores[best_[i]] = first + second_[i] - *greatest;
}

}  // namespace fsplan::relational
