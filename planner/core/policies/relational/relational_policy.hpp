// A policy for every task of a domain: log π(a|s) is a log-softmax over the applicable actions of the sum of the weights
// of their features (features.hpp).
//
// Some features take much time. So a policy may have two weights per feature: the first weights, of features that take
// little, choose a shortlist, and the others decide among those. Features of successors, which need an exploration each, are
// only computed for a shortlist. Say the first weights give nine actions the scores 6, 5, 4, 4, 3, 3, 2, 1, 0. The shortlist
// are the first six. If the others give these 1, 3, 0, 2, 2, 1, the scores become 4, 6, 3, 5, 5, 4 (as far below the greatest as
// these weights say), and those of the last three are lowered as far as the worst of the shortlist, by 3, to -1, -2, -3: they
// follow in the order of the first weights.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "policies/relational/feature_sums.hpp"
#include "policy.hpp"

namespace fsplan::relational {

// Whether a feature is of the block guides.
bool reads_successors(std::span<const Hash> features);

class RelationalPolicy final : public PolicyWithMemory {
public:
    // The task must outlive the policy. One weight for each feature, and for a policy with a shortlist a first weight for each;
    // std::invalid_argument if there is none and features of successors have weights.
    RelationalPolicy(const GroundTask& task, const Description& description, std::span<const Hash> features,
                     std::span<const float> weights, std::span<const float> first_weights);

    bool is_well_defined() const override { return true; }
    void score_in_turn(const PolicyBatch& batch) override;

    std::size_t bytes() const { return sums_.bytes() + (first_sums_ ? first_sums_->bytes() : 0); }

private:
    void list_best(std::span<const float> scores);
    void decide_among_best(std::span<float> scores);

    Structure structure_;
    bool reads_successors_;
    Features features_;
    FeatureSums sums_;
    std::optional<FeatureSums> first_sums_;
    std::vector<std::uint32_t> best_;  // edges, the best first
    std::vector<float> second_;
};

}  // namespace fsplan::relational
