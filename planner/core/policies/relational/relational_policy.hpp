// A policy for every task of a domain: log π(a|s) is a log-softmax over the applicable actions of the sum of the weights
// of their features (features.hpp).
#pragma once

#include <span>

#include "policies/relational/features.hpp"
#include "policies/relational/weights.hpp"
#include "policy.hpp"

namespace fsplan::relational {

class RelationalPolicy final : public Policy {
public:
    // The task must outlive the policy; one weight for each feature.
    RelationalPolicy(const GroundTask& task, const Description& description, std::span<const Hash> features,
                     std::span<const float> weights);

    void score(const PolicyBatch& batch) override;

    // The most costly block of features that has a weight.
    Block last_block() const { return last_; }
    std::size_t bytes() const { return weights_.bytes() + schema_sums_.bytes() + argument_sums_.bytes(); }

private:
    float total(std::size_t edge);
    float schema_sum(std::size_t edge);
    float argument_sum(std::size_t edge);

    Structure structure_;
    HashTable weights_;
    Block last_;
    Features features_;
    HashTable schema_sums_, argument_sums_;  // by the keys of features.hpp; emptied when they grow too large
};

}  // namespace fsplan::relational
