// Finds the first choice of a policy that prefers helpful actions with as few guides as possible.
//
// Such a policy (`ff`) prefers helpful actions, among these the least cost + guide, then the least cost + h, then the
// lowest number. Computing a guide takes a relaxed plan, the most expensive computation per node. PrefA*, Disc-1 and
// Disc-2 only need to know which improving edge is the first choice, if any. So
//   - if no edge improves, the answer does not matter;
//   - if only one helpful edge may be chosen, it is the first choice, whatever its guide;
//   - if an edge that does not improve has a smaller estimate than all improving ones, no improving edge is the first
//     choice. It does not matter which edge that is, so edges whose guides are known are tried first.
// Example: two of five successors are by helpful actions, and one of the two is the parent. The other one is the first
// choice unless the parent has the smaller estimate. This takes at most two guides, one of which is known.
//
// Three parts work together. The policy promises to choose in this way (Policy::prefers_helpful); the Evaluator
// computes guides along with h only for successors by helpful actions (GuideDemand::on_demand); this class requests
// the others that it needs.
#pragma once

#include "search/run.hpp"

namespace fsplan {

class HelpfulFirstChoice {
public:
    explicit HelpfulFirstChoice(Run& run) : space_(run.space), evaluator_(run.evaluator) {}

    // Whether this class can find the first choice of the run's policy: the policy prefers helpful actions, and guides
    // are computed on demand.
    static bool applies(const Run& run) {
        const Policy* policy = run.request.policy.get();
        return policy != nullptr && policy->needs_guide() && policy->prefers_helpful() &&
               run.evaluator.demand() == GuideDemand::on_demand && run.evaluator.finds_dead_ends() && !run.request.lazy;
    }

    // Index of the first choice if it is an improving edge, otherwise the index of some edge that is not improving.
    // Returns the number of edges if no helpful edge may be chosen; then the policy must be called. may_be_chosen(edge)
    // excludes edges, such as those to dead ends.
    template <class MayBeChosen>
    std::size_t find(StateId id, const EdgeList& edges, MayBeChosen may_be_chosen) {
        if (edges.improving().empty()) return 0;
        list_contenders(id, edges, may_be_chosen);
        if (!contenders_.empty()) return best_contender(edges);
        return others_.empty() ? edges.size() : others_[0];
    }

private:
    // Estimates are compared member by member; the least is preferred.
    struct Estimate {
        std::int64_t with_guide;
        std::int64_t with_h;
        std::size_t edge;

        auto operator<=>(const Estimate&) const = default;
    };

    // Lists the helpful edges that may be chosen: improving ones in contenders_, others in others_.
    template <class MayBeChosen>
    void list_contenders(StateId id, const EdgeList& edges, MayBeChosen may_be_chosen) {
        contenders_.clear();
        others_.clear();
        std::size_t i = 0;
        for (const ActionId action : evaluator_.helpful(id)) {
            while (i < edges.size() && edges.actions[i] < action) ++i;
            if (i == edges.size()) break;
            if (edges.actions[i] != action || !may_be_chosen(edges[i])) continue;
            (space_.improves(id, edges[i]) ? contenders_ : others_).push_back(i);
        }
    }
    std::size_t best_contender(const EdgeList& edges) {
        if (contenders_.size() == 1 && others_.empty()) return contenders_[0];
        Estimate best = estimate(edges, contenders_[0]);
        for (std::size_t i = 1; i < contenders_.size(); ++i) best = std::min(best, estimate(edges, contenders_[i]));
        for (const std::size_t other : others_)
            if (evaluator_.knows_guide(edges.children[other]) && estimate(edges, other) < best) return other;
        for (const std::size_t other : others_)
            if (estimate(edges, other) < best) return other;
        return best.edge;
    }
    Estimate estimate(const EdgeList& edges, std::size_t i) {
        const std::int64_t cost = edges.costs[i];
        const StateId child = edges.children[i];
        return {cost + evaluator_.guide(child), cost + space_[child].h(), i};
    }

    SearchSpace& space_;
    Evaluator& evaluator_;
    std::vector<std::size_t> contenders_, others_;  // indices of edges
};

}  // namespace fsplan
