// RR-d: three queues over the same open nodes take turns (Fickert, Gu and Ruml, AAAI 2022).
//
//   d    by the fewest steps to go: finds a plan;
//   f̂    by the estimated cost of a plan: finds a plan of cost at most w * bound if the nearest goal is too expensive;
//   f    by f: raises the bound, and with it the limit of the other two.
// The first two contain only nodes with f <= w * bound, so a goal that leaves any of the queues is within w.
#include "search/estimates.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class RoundRobin : public EstimatingLoop<RoundRobin> {
    using Base = EstimatingLoop<RoundRobin>;
    friend Base;
    friend Loop<RoundRobin>;

public:
    explicit RoundRobin(Run& run)
        : Base(run), by_steps_(run, {&run.evaluator}, Base::ties(run), TieRule({Tie::oldest})),
          by_f_hat_(run, {&estimates_}, Base::ties(run), TieRule({Tie::oldest})) {}

private:
    using Base::by_f_, Base::estimates_;

    void enter(StateId id) {
        estimates_.make(id);
        by_steps_.push(id);
        by_f_hat_.push(id);
        by_f_.push(id);
    }
    void limit_changed(Cost limit) {
        by_steps_.set_limit(limit);
        by_f_hat_.set_limit(limit);
    }
    bool take_turn() {
        switch (turn_++ % 3) {
            case 0: return this->expand_best(by_steps_);
            case 1: return this->expand_best(by_f_hat_);
            default: return this->expand_best(by_f_);
        }
    }

    GatedQueue<StepsKey, DiesWith::path> by_steps_;
    GatedQueue<FHatKey, DiesWith::path> by_f_hat_;
    std::uint32_t turn_ = 0;
};

}  // namespace

const SearchInfo rr_d_search{
    .name = "rr-d",
    .summary = "RR-d: expands in turn the nodes of least d (steps to go), least f̂ (estimated cost) and least f.",
    .proves = "w",
    .guide_demand = all_guides,
    .make = [](Run& run) { return steps_of<RoundRobin>(run); }};

}  // namespace fsplan
