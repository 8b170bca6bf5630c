// LevinTS and PHS*: best-first search by the likelihood of the path under the policy.
//
// Let π(n) be the product of the policy's probabilities along the path to n.
//   levin   d / π with d the number of states on the path (Orseau, Lelis, Lattimore and Weber, NeurIPS 2018). In a
//           tree, at most d / π nodes are expanded before a goal with these d and π. A good policy makes this number
//           small; with a poor policy, the factor d still prefers short paths;
//   phs     (g + h) / π^(1 + h/g) (PHS*; Orseau and Lelis, AAAI 2021): h estimates the cost of the rest of the path,
//           and π^(h/g) its likelihood, if it is as likely per unit of cost as the path so far. g counts as 1 at least.
// Keys are logarithms of these values. They bound the number of expansions, not the cost of the plan; the lower bound
// that the open nodes prove at the end is reported.
#include "search/scored_loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

struct LikelihoodKey {
    const FlatArray<PolicyPath>* paths;  // per node
    bool with_h;

    static bool is_integer() { return false; }
    std::int64_t operator()(StateId id, const Node& node) const {
        const PolicyPath& path = (*paths)[id];
        if (!with_h) return ordered(std::log(path.states) - path.log_likelihood);
        const double g = std::max<Cost>(node.g, 1);
        return ordered(std::log(g + node.h()) - (1 + node.h() / g) * path.log_likelihood);
    }
};

class Levin : public ScoredLoop<Levin, PolicyPath, LikelihoodKey> {
    using Base = ScoredLoop<Levin, PolicyPath, LikelihoodKey>;
    friend Base;

public:
    Levin(Run& run, bool with_h) : Base(run, with_h) {}

private:
    PolicyPath value(StateId id, std::size_t i) const { return this->values_[id].extended(this->scores_[i]); }
};

}  // namespace

const SearchInfo levin_search =
    scored_search("levin", "LevinTS: least d / π first (path length / path probability under the policy).",
                  [](Run& run) { return steps_of<Levin>(run, false); });

const SearchInfo phs_search =
    scored_search("phs", "PHS*: least f / π^(1 + h/g) first, where π is the path's probability under the policy.",
                  [](Run& run) { return steps_of<Levin>(run, true); });

}  // namespace fsplan
