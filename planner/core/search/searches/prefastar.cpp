// PrefA*: A* with preferred operators. It guarantees nothing about the plan's cost; at the end, the open nodes prove a
// lower bound.
//
// As in the paper: the successor by the preferred action goes to the preferred list, the others to the regular one, and
// the regular list is used only while the other is empty. With `alternate`, Fast Downward's scheme: every successor
// goes to the regular list and preferred ones to both; the lists take turns, and progress in h gives the preferred one
// the next 1000 turns. Both lists are ordered by f.
#include "search/loop.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class PrefAStar : public Loop<PrefAStar> {
    using Base = Loop<PrefAStar>;
    friend Base;

public:
    explicit PrefAStar(Run& run)
        : Base(run), scorer_(run), lists_(open_list(run), open_list(run), run.request.alternate) {
        if (run.request.preferred == Preferred::policy && run.request.policy == nullptr)
            throw std::invalid_argument("prefastar needs a policy, or preferred operators from ff");
    }

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    static constexpr bool kKnowsLeastF = false;
    static OpenQueue<FKey> open_list(Run& run) { return {run, FKey(), TieRule(run.request.ties)}; }

    void enter(StateId id) { lists_.regular.push(id); }
    Cost least_f() { return lists_.find_first() ? 0 : kInfinite; }
    bool take_turn() { return this->expand_best(lists_.next()); }
    void expand(StateId id) {
        lists_.note_estimate(space_[id].h());
        this->expand_scored(
            id, evaluator_.at_generation(), [&] { choose(id); },
            [&](std::size_t i) {
                if (preferred_[i]) lists_.preferred.push(edges_.children[i]);
                if (!preferred_[i] || run_.request.alternate) lists_.regular.push(edges_.children[i]);
            });
    }
    void choose(StateId id) {
        preferred_.assign(edges_.size(), 0);
        if (edges_.size() == 0) return;
        if (run_.request.preferred == Preferred::policy) {
            const std::size_t choice = scorer_.first_choice_improving(id, edges_);
            if (choice < edges_.size()) preferred_[choice] = 1;
        } else {
            scorer_.mark_helpful(id, edges_, preferred_);
        }
    }

    Scorer scorer_;
    PreferredPair<OpenQueue<FKey>> lists_;
    std::vector<std::uint8_t> preferred_;  // per edge
};

}  // namespace

const SearchInfo prefastar_search{
    .name = "prefastar",
    .summary =
        "A* with preferred operators: fast with a good policy; certified only if the final lower bound proves w.",
    .reads = "w policy masked preferred alternate ties reopen uncertified anytime",
    .proves = "nothing",
    .open_proves_bound = true,
    .needs_policy = [](const SearchOptions& options) { return options.preferred == Preferred::policy; },
    .guide_demand =
        [](const SearchRequest& request) {
            return request.preferred == Preferred::ff ? GuideDemand::on_demand : guides_of_policy(request, true);
        },
    .make = [](Run& run) { return steps_of<PrefAStar>(run); }};

}  // namespace fsplan
