#include "policies/relational/relational_policy.hpp"

#include "policies/untrained.hpp"

namespace fsplan::relational {

bool reads_successors(std::span<const Hash> features) {
    return std::ranges::any_of(features, [](Hash feature) { return block_of(feature) == Block::guides; });
}

bool reads_relaxed_plans(std::span<const Hash> features, std::span<const float> weights) {
    for (std::size_t i = 0; i < features.size(); ++i) {
        const Block block = block_of(features[i]);
        if (weights[i] != 0 && (block == Block::plan || block == Block::guides)) return true;
    }
    return false;
}

RelationalPolicy::RelationalPolicy(const GroundTask& task, const Description& description, const PolicyWeights& weights)
    : structure_(task, description), reads_successors_(reads_successors(weights.features)), features_(structure_),
      sums_(features_, weights.features, weights.weights) {
    prepare(weights);
}

RelationalPolicy::RelationalPolicy(const GroundTask& task, const Description& description, const PolicyWeights& weights,
                                   bool costs_differ)
    : structure_(task, description), reads_successors_(false), features_(structure_, costs_differ),
      sums_(features_, weights.features, weights.weights) {
    prepare(weights);
    const auto& first = weights.first_weights;
    if (reads_relaxed_plans(weights.features, weights.weights) ||
        (!first.empty() && reads_relaxed_plans(weights.features, first)))
        throw std::invalid_argument("the policy reads relaxed plans, which need the ground task");
}

void RelationalPolicy::prepare(const PolicyWeights& weights) {
    if (!all_finite(weights.weights) || !all_finite(weights.first_weights))
        throw std::invalid_argument("a weight is not finite");
    if (!weights.first_weights.empty()) first_sums_.emplace(features_, weights.features, weights.first_weights);
}

void RelationalPolicy::read_new_actions() {
    if (structure_.action_count() == structure_.task().action_count()) return;
    structure_.read_new_actions();
    features_.read_new_actions();
    sums_.read_new_actions();
    if (first_sums_) first_sums_->read_new_actions();
}

std::span<float> RelationalPolicy::set_state(const PolicyBatch& batch, std::size_t state) {
    read_new_actions();
    const std::size_t begin = batch.edges_begin[state], count = batch.edges_begin[state + 1] - begin;
    features_.set_state({batch.values + state * batch.width, batch.width}, {batch.actions + begin, count});
    return {batch.log_probabilities + begin, count};
}

void RelationalPolicy::score_in_turn(const PolicyBatch& batch) {
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::span<float> scores = set_state(batch, i);
        if (first_sums_ && scores.size() > 1) {
            for (std::size_t edge = 0; edge < scores.size(); ++edge) scores[edge] = first_sums_->sum(edge);
            decide_among_best(scores);
        } else {
            list_all(scores.size());
            score_best();
            std::copy(second_.begin(), second_.end(), scores.begin());
        }
        batch.reading == Reading::log_probabilities ? log_softmax(scores) : lower_to_zero(scores);
    }
}

std::size_t RelationalPolicy::count_recalled(const PolicyBatch& batch) {
    if (!first_sums_) return batch.size;
    std::size_t recalled = 0;
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::span<float> scores = set_state(batch, i);
        if (scores.empty()) continue;
        for (std::size_t edge = 0; edge < scores.size(); ++edge) scores[edge] = first_sums_->sum(edge);
        list_all(scores.size());
        score_best();
        const std::vector<float> all = second_;
        list_best(scores);
        const float greatest = *std::ranges::max_element(all);
        recalled += std::ranges::any_of(best_, [&](auto edge) { return all[edge] == greatest; }) ? 1 : 0;
    }
    return recalled;
}

void RelationalPolicy::list_all(std::size_t count) {
    best_.resize(count);
    std::iota(best_.begin(), best_.end(), 0U);
}

void RelationalPolicy::list_best(std::span<const float> scores) {
    const std::size_t size = shortlist_size(scores.size());
    if (scores.size() <= size) return list_all(scores.size());
    sorted_.assign(scores.begin(), scores.end());
    std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(size - 1), sorted_.end(),
                     std::greater<>());
    best_.clear();
    for (std::uint32_t edge = 0; edge < scores.size(); ++edge)
        if (scores[edge] >= sorted_[size - 1]) best_.push_back(edge);
}

void RelationalPolicy::score_best() {
    if (reads_successors_) features_.compare(best_);
    second_.clear();
    for (const std::uint32_t edge : best_)
        second_.push_back(sums_.sum(edge) + (reads_successors_ ? sums_.sum_of_guides(edge) : 0));
}

void RelationalPolicy::decide_among_best(std::span<float> scores) {
    list_best(scores);
    score_best();
    const auto [least, greatest] = std::ranges::minmax_element(second_);
    const float first = *std::ranges::max_element(scores);
    for (float& score : scores) score += *least - *greatest;
    for (std::size_t i = 0; i < best_.size(); ++i) scores[best_[i]] = first + second_[i] - *greatest;
}

}  // namespace fsplan::relational
