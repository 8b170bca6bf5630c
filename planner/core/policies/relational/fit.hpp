// Fits the weights of a domain policy to labelled states of several tasks.
//
// The loss is the mean over the states of -log Σ_{optimal a} π(a|s), plus l2/2 · |w|². It is not convex where a state
// has several optimal actions (a difference of two convex functions), but smooth, and L-BFGS from w = 0 does well.
// Features that occur in fewer than `least_tasks` tasks are dropped, because they do not generalise.
#pragma once

#include "base/budget.hpp"
#include "policies/relational/labelled_features.hpp"

namespace fsplan::relational {

struct FitOptions {
    std::vector<Block> blocks;  // blocks of features that get weights
    double l2 = 1e-4;
    std::size_t least_tasks = 2;
    std::size_t most_steps = 300;
};

struct Fitted {
    std::vector<Hash> features;
    std::vector<float> weights;
    double loss = 0;
    std::size_t steps = 0;
};

// If time runs out, the weights reached so far are returned; LimitReached is thrown if that is before the first step.
Fitted fit(std::span<const LabelledFeatures* const> tasks, const FitOptions& options, Budget& watch);

// For every state the probability that its best action is optimal if ties are broken uniformly. First weights, if
// given, choose the shortlist as in relational_policy.hpp, but the features in Block::guides compare a successor with
// those of all actions, not only of the shortlist.
std::vector<float> first_choices(const LabelledFeatures& examples, std::span<const Hash> features,
                                 std::span<const float> weights, std::span<const float> first_weights);

}  // namespace fsplan::relational
