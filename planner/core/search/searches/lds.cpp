// LDS, limited discrepancy search (Harvey and Ginsberg, IJCAI 1995), by the policy: first all states that the policy's
// first choices lead to, then those with one action against its first choice, then two, each wave depth-first.
//
// The original visits paths again in every wave. Here nodes are kept, so a wave continues where the last one stopped
// (each path is visited once, as in Korf's improved LDS, AAAI 1996), and a state is expanded again only if it is
// reached by a cheaper path. So this is a best-first search: the fewest discrepancies first, then the newest node;
// among siblings, the one that the policy ranks higher counts as newer. There is no guarantee on the plan's cost; the
// lower bound that the open nodes prove at the end is reported.
#include <ranges>

#include "search/loop.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

struct DiscrepancyKey {
    static constexpr const char* kName = "discrepancies";
    const FlatArray<std::int32_t>* discrepancies;  // per node

    std::int64_t operator()(StateId id, const Node&) const { return (*discrepancies)[id]; }
};

class LimitedDiscrepancy : public Loop<LimitedDiscrepancy> {
    using Base = Loop<LimitedDiscrepancy>;
    friend Base;

public:
    explicit LimitedDiscrepancy(Run& run)
        : Base(run), scorer_(run, Reading::ranks), open_(run, {&discrepancies_}, TieRule({Tie::newest})) {
        if (run.request.policy == nullptr) throw std::invalid_argument("lds needs a policy");
    }
    LimitedDiscrepancy(const LimitedDiscrepancy&) = delete;
    LimitedDiscrepancy& operator=(const LimitedDiscrepancy&) = delete;

private:
    using Base::edges_, Base::space_, Base::evaluator_;
    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) {
        discrepancies_.resize(space_.size(), 0);
        open_.push(id);
    }
    Cost least_f() { return open_.find_first() ? 0 : kInfinite; }
    bool take_turn() { return this->expand_best(open_); }
    void expand(StateId id) {
        const auto score = [&] { score_edges(id); };
        this->expand_scored(id, evaluator_.at_generation(), score, [&](std::size_t i) {
            discrepancies_.resize(space_.size(), 0);
            discrepancies_[edges_.children[i]] = discrepancies_[id] + (ranks_[i] == 0 ? 0 : 1);
            is_opened_[i] = true;
        });
        for (const std::int32_t i : scorer_.best_first(scores_) | std::views::reverse)
            if (is_opened_[i]) open_.push(edges_.children[i]);
    }
    void score_edges(StateId id) {
        is_opened_.assign(edges_.size(), false);
        scores_ = scorer_.score(id, edges_);
        ranks_ = scorer_.rank(scores_);
    }

    Scorer scorer_;
    FlatArray<std::int32_t> discrepancies_;
    OpenQueue<DiscrepancyKey> open_;
    std::span<const float> scores_;
    std::span<const std::int32_t> ranks_;
    std::vector<bool> is_opened_;  // per edge
};

}  // namespace

const SearchInfo lds_search{
    .name = "lds",
    .summary = "Limited discrepancy search: fewest discrepancies from the policy first, then depth-first.",
    .reads = "w policy masked reopen uncertified anytime",
    .proves = "nothing",
    .defaults = "",
    .open_proves_bound = true,
    .needs_policy = always,
    .guide_demand = guides_of_scores,
    .make = [](Run& run) { return steps_of<LimitedDiscrepancy>(run); }};

}  // namespace fsplan
