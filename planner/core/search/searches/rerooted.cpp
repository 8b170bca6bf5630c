// √LTS, Levin tree search with rerooting: a LevinTS search begins in every node, and all of them share the effort in
// proportion to weights (Orseau, Hutter and Lelis, arXiv:2412.05196).
//
// The search that begins in a node t visits first the nodes n below t with the least Σ 1 / π(n' | t) over the nodes n' on the
// path from t, without t, to n; with weight ω(t), the least of this sum over ω(t). So the key of n is the minimum over all
// t above it. A good choice of weights divides the path to the goal into parts, and the effort is that of the hardest part
// instead of their product. Here ω is 1 for the start and exp(-10·h(t) / h(start)) for other nodes (√LTS-H; Tuero, Buro,
// Orseau and Lelis, arXiv:2605.30664): nodes with a small h get searches of a large weight.
//
//   rlts        the search itself; it bounds the effort, not the cost of the plan
//   rlts-focal  the key as an order of FOCAL: of the open nodes with f <= w * bound, the least key, in turns with the least
//               f. A goal among these nodes costs at most w * bound, so the plan is within w whatever the policy
//
// Computation. Let c(t) be the sum for t, and p the probability of the step to t from its parent; then the sum for the
// parent is (1 + c(t)) / p. It grows towards the initial state, and weights are at most 1. So the walk over the
// ancestors ends as soon as the sum exceeds the least quotient so far. All values are logarithms.
#include "search/loop.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

constexpr double kSharpness = 10;  // α of the paper: how fast the weight of a node grows as h falls

// log(1 + e^x)
inline double log_of_one_more(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

struct RerootedKey {
    static constexpr const char* kName = "rerooted";
    const SearchSpace* space;
    const FlatArray<double>* steps;  // per node: log-probability of the step to it

    static bool is_integer() { return false; }
    double shown(StateId id) const { return value(id); }
    std::int64_t operator()(StateId id, const Node&) const { return ordered(value(id)); }

private:
    double value(StateId id) const {
        if (!(*space)[id].has_parent()) return 0;
        double sum = -std::numeric_limits<double>::infinity(), least = -sum;
        for (; (*space)[id].has_parent() && sum < least; id = (*space)[id].parent()) {
            sum = log_of_one_more(sum) - (*steps)[id];
            least = std::min(least, sum - log_weight((*space)[id].parent()));
        }
        return least;
    }
    double log_weight(StateId id) const {
        if (!(*space)[id].has_parent() || (*space)[0].h() == 0) return 0;
        return std::min(0.0, -kSharpness * (*space)[id].h() / (*space)[0].h());
    }
};

class Rerooted : public Loop<Rerooted> {
    using Base = Loop<Rerooted>;
    friend Base;

public:
    Rerooted(Run& run, bool is_focal)
        : Base(run), is_focal_(is_focal), scorer_(run, Reading::log_probabilities),
          open_(run, RerootedKey{&run.space, &steps_}, TieRule(run.request.ties), TieRule({Tie::oldest})),
          by_f_(run, FKey(), TieRule({Tie::h, Tie::newest})) {
        if (run.request.policy == nullptr) throw std::invalid_argument("this search needs a policy");
    }
    Rerooted(const Rerooted&) = delete;
    Rerooted& operator=(const Rerooted&) = delete;

private:
    static constexpr bool kCountsOpen = true;

    void enter(StateId id) {
        steps_.resize(space_.size(), 0);
        open_.push(id);
        if (is_focal_) by_f_.push(id);
    }
    Cost least_f() { return counts_.least(); }
    void limit_changed(Cost limit) { open_.set_limit(is_focal_ ? limit : run_.cost() - 1); }
    bool take_turn() {
        is_turn_of_key_ = !is_focal_ || !is_turn_of_key_;
        return is_turn_of_key_ ? expand_best(open_) : expand_best(by_f_);
    }
    void expand(StateId id) {
        const auto score = [&] { scores_ = scorer_.score(id, edges_); };
        expand_scored(id, evaluator_.at_generation(), score, [&](std::size_t i) {
            steps_.resize(space_.size(), 0);
            steps_[edges_.children[i]] = scores_[i];
            enter(edges_.children[i]);
        });
    }
    void restart(const Weight&) {
        open_.clear();
        by_f_.clear();
        enter_all_open();
    }

    bool is_focal_;
    Scorer scorer_;
    FlatArray<double> steps_;
    GatedQueue<RerootedKey, DiesWith::path, NodeQueue> open_;
    OpenQueue<FKey> by_f_;
    std::span<const float> scores_;
    bool is_turn_of_key_ = false;
};

}  // namespace

const SearchInfo rlts_search =
    scored_search("rlts", "√LTS: LevinTS with rerooting at every node; small h, larger weight.",
                  [](Run& run) { return steps_of<Rerooted>(run, false); });

const SearchInfo rlts_focal_search = scored_search(
    "rlts-focal", "Focal search by √LTS's key, alternating with least f.",
    [](Run& run) { return steps_of<Rerooted>(run, true); }, "w");

}  // namespace fsplan
