// LevinTS and PHS*: best-first search by the likelihood of the path under the policy.
//
// Let π(n) be the product of the policy's probabilities along the path to n.
//   levin   d / π with d the number of states on the path (Orseau, Lelis, Lattimore and Weber, NeurIPS 2018). With a
//           tree of paths, at most d / π nodes are expanded before a goal is, for any goal's d and π: a good policy
//           makes this number small, and with a poor one the factor d still lets short paths precede likely long ones;
//   phs     (g + h) / π^(1 + h/g) (PHS*; Orseau and Lelis, AAAI 2021): h says how much of the path is still to come,
//           and π^(h/g) how likely the policy is to find it if it goes on as it did so far. g counts as 1 at least.
// Both are compared as logarithms. They bound the number of expansions, not the cost of the plan; the
// lower bound on it that the open nodes prove at the end is reported.
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
    scored_search("levin", "LevinTS: the least path length over the path's likelihood under the policy first.",
                  [](Run& run) { return steps_of<Levin>(run, false); });

const SearchInfo phs_search = scored_search(
    "phs", "PHS*: as levin, with f instead of the length; the likelihood is extrapolated to the goal by h.",
    [](Run& run) { return steps_of<Levin>(run, true); });

}  // namespace fsplan
