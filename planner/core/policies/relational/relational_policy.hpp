// A policy for every task of a domain: log π(a|s) is a log-softmax over the applicable actions of the sum of the
// weights of their features (features.hpp).
//
// Some features are expensive. So a policy may have two weights per feature: the first weights, of cheap features,
// choose a shortlist, and the second weights decide among the actions on it. Features of successors, which need an
// exploration each, are computed for the shortlist only. Example: the first weights give nine actions the scores 6, 5,
// 4, 4, 3, 3, 2, 1, 0. The shortlist (shortlist_size) has the first six. If the second weights give these 1, 3, 0, 2,
// 2, 1, their scores become 4, 6, 3, 5, 5, 4: the greatest score stays, and the differences are those of the second
// weights. The worst of them is 3 below the greatest, so the scores of the last three are lowered by 3, too, to -1, -2,
// -3; they keep the order of the first weights.
#pragma once

#include "contract/policy.hpp"
#include "contract/state_guide.hpp"
#include "policies/relational/feature_sums.hpp"

namespace fsplan::relational {

// Whether some feature belongs to the block guides.
bool reads_successors(std::span<const Hash> features);

class RelationalPolicy final : public PolicyWithMemory, public GuidesStates {
public:
    // The task must outlive the policy. One weight for each feature, and for a policy with a shortlist a first weight
    // for each.
    RelationalPolicy(const GroundTask& task, const Description& description, std::span<const Hash> features,
                     std::span<const float> weights, std::span<const float> first_weights);

    bool is_well_defined() const override { return true; }
    void score_in_turn(const PolicyBatch& batch) override;
    Cost guide() const override { return features_.guide(); }
    std::uint64_t work() const override { return features_.work(); }

    // Number of states whose best action by the second weights is on the shortlist. The second weights score all
    // actions here, so the successors of all actions are evaluated.
    std::size_t count_recalled(const PolicyBatch& batch);

    std::size_t bytes() const { return sums_.bytes() + (first_sums_ ? first_sums_->bytes() : 0); }

private:
    std::span<float> set_state(const PolicyBatch& batch, std::size_t state);
    void list_all(std::size_t count);
    void list_best(std::span<const float> scores);
    void score_best();
    void decide_among_best(std::span<float> scores);

    Structure structure_;
    bool reads_successors_;
    Features features_;
    FeatureSums sums_;
    std::optional<FeatureSums> first_sums_;
    std::vector<std::uint32_t> best_;  // the shortlist: edges in ascending order
    std::vector<float> second_;        // per edge of best_
    std::vector<float> sorted_;
};

}  // namespace fsplan::relational
