// Best-first width search (Lipovetzky and Geffner, AAAI 2017): the most novel states first, then the least h, then the
// least guide. A state is compared with those that have the same h and the same guide. With the heuristic `progress`,
// which counts open goals and the facts of a relaxed plan that are still to come, this is the paper's BFWS(f5).
//
// On a plateau of the estimates, novelty makes the search visit states with new facts instead of permutations of known
// ones. A cheaper path to an expanded node is recorded, but the node is re-opened only when no other node is left.
#include "search/loop.hpp"
#include "search/novelty.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class BestFirstWidth : public Loop<BestFirstWidth> {
    using Base = Loop<BestFirstWidth>;
    friend Base;

public:
    explicit BestFirstWidth(Run& run)
        : Base(run), open_(run, GivenKey(), TieRule(run.request.ties)), table_(run.space.width()),
          values_(run.space.width()), parent_(run.space.width()) {}

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    static constexpr bool kKnowsLeastF = false;
    static constexpr std::uint8_t kUnmeasured = 0xFF;

    void enter(StateId id) {
        if (novelty(id) == kUnmeasured) measure(id, kNoState);
        open_.push(id, (std::int64_t{novelty(id)} << 61) + (std::int64_t{space_[id].h()} << 31) + evaluator_.guide(id));
    }
    Cost least_f() {
        if (!open_.find_first() && std::exchange(waiting_, false)) this->enter_all_open();
        return open_.find_first() ? 0 : kInfinite;
    }
    // The first plan ends the search, unless it is an anytime search.
    bool take_turn() {
        if (!this->visit(open_.pop())) return false;
        if (!found_ || run_.request.anytime) return true;
        run_.raise_bound_by_open();
        return false;
    }
    void expand(StateId id) {
        space_.values(id, parent_);
        this->expand_scored(
            id, evaluator_.at_generation(), [&] { note_closed(); },
            [&](std::size_t i) {
                const StateId child = edges_.children[i];
                accept(child);
                if (novelty(child) == kUnmeasured) measure(child, id);
                if (!was_closed_[i]) enter(child);
            });
    }
    void accept(StateId child) {
        const Cost before = run_.cost();
        this->accept_if_goal(child);
        found_ = found_ || run_.cost() < before;
    }
    void note_closed() {
        was_closed_.clear();
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            was_closed_.push_back(space_[edges_.children[i]].status() == NodeStatus::closed);
            waiting_ |= was_closed_.back() != 0;
        }
    }
    std::uint64_t class_of(StateId id) {
        return (static_cast<std::uint64_t>(space_[id].h()) << 32) | static_cast<std::uint32_t>(evaluator_.guide(id));
    }
    void measure(StateId id, StateId parent) {
        space_.values(id, values_);
        const std::uint64_t own = class_of(id);
        const bool same = parent != kNoState && class_of(parent) == own;
        const std::uint64_t work_before = table_.work();
        novelty(id) = static_cast<std::uint8_t>(table_.measure(
            own, values_, same ? std::span<const std::int32_t>(parent_) : std::span<const std::int32_t>()));
        run_.work_of_search += table_.work() - work_before;
    }
    std::uint8_t& novelty(StateId id) {
        if (id >= novelty_.size()) novelty_.resize(id + 1, kUnmeasured);
        return novelty_[id];
    }

    OpenQueue<GivenKey> open_;
    NoveltyTable table_;
    FlatArray<std::uint8_t> novelty_;  // per node
    std::vector<std::int32_t> values_, parent_;
    std::vector<std::uint8_t> was_closed_;  // per edge
    bool found_ = false;                    // whether a plan was found
    bool waiting_ = false;                  // whether some node has a cheaper path but no entry in the queue
};

}  // namespace

const SearchInfo bfws_search{
    .name = "bfws",
    .summary =
        "Best-first width search: by novelty (new facts, then new pairs of facts, among states of equal h), then by h.",
    .proves = "nothing",
    .defaults = "ties=newest",
    .open_proves_bound = true,
    .guide_demand = all_guides,
    .make = [](Run& run) { return steps_of<BestFirstWidth>(run); }};

}  // namespace fsplan
