// A policy for every task of a domain: log π(a|s) is a log-softmax over the applicable actions of the sum of the weights
// of their features (features.hpp).
#pragma once

#include <span>

#include "policies/relational/features.hpp"
#include "policies/relational/weights.hpp"
#include "policy.hpp"

namespace fsplan::relational {

class RelationalPolicy final : public PolicyWithMemory {
public:
    // The task must outlive the policy; one weight for each feature.
    RelationalPolicy(const GroundTask& task, const Description& description, std::span<const Hash> features,
                     std::span<const float> weights);

    bool is_well_defined() const override { return true; }
    void score_in_turn(const PolicyBatch& batch) override;

    // The most costly block of features that has a weight.
    Block last_block() const { return last_; }
    std::size_t bytes() const { return weights_.bytes() + sums_.bytes(); }

private:
    float total(std::size_t edge);
    // The sum that is kept under a key; if there is none, of the features that list(add) gives.
    template <class List>
    float kept_sum(Hash key, List list);

    Structure structure_;
    HashTable weights_;
    Block last_;
    Features features_;
    HashTable sums_;  // by the keys of features.hpp; emptied when it grows too large
};

}  // namespace fsplan::relational
