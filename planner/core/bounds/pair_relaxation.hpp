// The delete relaxation in which pairs of facts are facts of their own.
//
// In the delete relaxation two facts that are reached one after the other count as true together, even if each action
// that achieves one of them destroys the other. Here a pair {p, q} has to be achieved as such: by an action that adds
// both, or by one that adds p, does not delete q, and is applied while q is true. A precondition or goal that contains
// p and q also requires the pair. This is the compilation Π^C of Haslum, Keyder and Hoffmann for sets of size two. With
// all pairs the goal is reachable if and only if h² is finite. A plan of the task is a plan of this relaxation with the
// same actions, so its landmarks hold for all plans.
#pragma once

#include "relaxation/relaxation.hpp"

namespace fsplan {

struct PairRelaxation {
    Relaxation relaxation;  // costs and fact_of are not set
    std::vector<std::uint32_t> start;
    std::size_t pairs = 0;
};

// Pairs are chosen backwards: first those in the goal and in preconditions, then those that are needed to achieve
// chosen pairs. The relaxation has about `most_terms` preconditions; further pairs are left out. The task must not have
// derived variables.
PairRelaxation relax_with_pairs(const GroundTask& task, std::span<const std::int32_t> start, std::size_t most_terms,
                                Budget& watch);

}  // namespace fsplan
