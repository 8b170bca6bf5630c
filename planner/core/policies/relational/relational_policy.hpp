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

// Whether a feature of the blocks plan or guides has a weight.
bool reads_relaxed_plans(std::span<const Hash> features, std::span<const float> weights);

// Whether some feature belongs to the block guides.
bool reads_successors(std::span<const Hash> features);

// The weights of a policy: one for each feature, and for a policy with a shortlist a first weight for each.
struct PolicyWeights {
    std::vector<Hash> features;
    std::vector<float> weights, first_weights;
};

class RelationalPolicy : public PolicyWithMemory, public GuidesStates {
public:
    bool is_well_defined() const override { return true; }
    void score_in_turn(const PolicyBatch& batch) override;
    std::uint64_t work() const override { return features_.work(); }

    // Number of states whose best action by the second weights is on the shortlist. The second weights score all
    // actions here, so the successors of all actions are evaluated.
    std::size_t count_recalled(const PolicyBatch& batch);

    std::size_t bytes() const { return sums_.bytes() + (first_sums_ ? first_sums_->bytes() : 0); }

protected:
    RelationalPolicy(const GroundTask& task, const Description& description, const PolicyWeights& weights);
    // Constructor for tasks to which actions are appended while the policy is used (see Features).
    RelationalPolicy(const GroundTask& task, const Description& description, const PolicyWeights& weights,
                     bool costs_differ);
    const Features& features() const { return features_; }

private:
    void prepare(const PolicyWeights& weights);
    void read_new_actions();
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
    std::vector<float> second_;        // scores of the edges in best_ by the second weights
    std::vector<float> sorted_;
};

// A policy for a ground task. It computes relaxed plans, and so h_FF of every state.
class GuidedRelationalPolicy final : public RelationalPolicy {
public:
    // The task must outlive the policy.
    GuidedRelationalPolicy(const GroundTask& task, const Description& description, const PolicyWeights& weights)
        : RelationalPolicy(task, description, weights) {}

    Cost guide() const override { return features().guide(); }
};

// A policy for a task that is not grounded, to which actions are appended while the policy is used. There is no h_FF, so
// the guide is the number of unsatisfied goals.
class LiftedRelationalPolicy final : public RelationalPolicy {
public:
    // Features of relaxed plans must have no weights. `costs_differ` tells whether actions of the task may differ in
    // cost. The task must outlive the policy.
    LiftedRelationalPolicy(const GroundTask& task, const Description& description, const PolicyWeights& weights,
                           bool costs_differ)
        : RelationalPolicy(task, description, weights, costs_differ) {}

    Cost guide() const override {
        const LabelCounts& counts = features().label_counts();
        return static_cast<Cost>(counts.count(AtomStatus::open_goal) + counts.count(AtomStatus::holds_unwanted));
    }
};

}  // namespace fsplan::relational
