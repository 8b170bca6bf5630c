// A delete relaxation in which pairs of facts are additional facts.
//
// In the delete relaxation two facts that are reached one after the other count as true together, even if each action
// that achieves one of them deletes the other. Here a pair {p, q} has to be achieved: by an action that adds both facts,
// or by one that adds p, does not delete q, and is applied while q is true. A precondition or goal that contains
// p and q also requires the pair. This is the compilation Π^C of Haslum, Keyder and Hoffmann for sets of size two. With
// all pairs the goal is reachable if and only if h² is finite. A plan of the task is a plan of this relaxation with the
// same actions, so its landmarks hold for all plans.
#pragma once

#include "relaxation/relaxation.hpp"

namespace fsplan {

// Facts of the relaxation, in this order: the facts of the delete relaxation; for each of its operators a helper fact
// "the operator has been applied"; the pairs. The first operators are those of the delete relaxation, in their order.
struct PairRelaxation {
    Relaxation relaxation;  // costs and fact_of are not set
    std::vector<std::uint32_t> start;
    std::vector<FactId> task_fact;  // fact of the delete relaxation -> fact of the task
    std::size_t first_pair = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;

    // The one or two facts of the task that a fact or pair of this relaxation represents.
    std::vector<FactId> facts_of(std::uint32_t fact) const {
        if (fact < first_pair) return {task_fact[fact]};
        const auto [p, q] = pairs[fact - first_pair];
        return {task_fact[p], task_fact[q]};
    }
};

// Pairs are chosen backwards: first those in the goal and in preconditions, then those that are needed to achieve
// chosen pairs. The relaxation has about `most_terms` preconditions; further pairs are left out. `plain` is the task's
// delete relaxation with duplicate operators, used only during the call; `start` are its facts that hold initially.
// The task must not have derived variables.
PairRelaxation relax_with_pairs(const GroundTask& task, const Relaxation& plain, std::span<const std::uint32_t> start,
                                std::size_t most_terms, Budget& watch);

}  // namespace fsplan
