// EES, explicit estimation search (Thayer and Ruml, IJCAI 2011): expands the node that seems nearest to a goal, among
// those that seem to lead to plans of cost at most w * C*.
//
// Let f̂_min be the least f̂ of the open nodes, and the limit w * bound. The next node is, in this order:
//   1. the node with the least d̂ among those with f̂ <= w * f̂_min, if its own f̂ is within the limit;
//   2. the node with the least f̂, if f̂ is within the limit; this raises f̂_min and enlarges the choice in 1;
//   3. the node with the least f; this raises the bound, which is too low for the nodes in 1 and 2.
// As f̂ >= f, a goal that leaves a queue costs at most w * bound. f̂_min may drop; a node of the first queue that is
// then beyond w * f̂_min waits again.
#include "search/estimates.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class ExplicitEstimation : public EstimatingLoop<ExplicitEstimation> {
    using Base = EstimatingLoop<ExplicitEstimation>;
    friend Base;
    friend Loop<ExplicitEstimation>;

public:
    explicit ExplicitEstimation(Run& run)
        : Base(run), by_d_hat_(run, {&estimates_}, Base::ties(run), TieRule({Tie::oldest}), {&estimates_}),
          by_f_hat_(run, {&estimates_}, Base::ties(run)) {}

private:
    using Base::by_f_, Base::estimates_, Base::w_;

    void enter(StateId id) {
        estimates_.make(id);
        by_d_hat_.push(id);
        by_f_hat_.push(id);
        by_f_.push(id);
    }
    void limit_changed(Cost limit) { limit_ = limit; }
    bool take_turn() {
        by_f_hat_.find_first();
        const auto least_f_hat = static_cast<Cost>(by_f_hat_.first_key());
        by_d_hat_.set_limit(threshold(w_, least_f_hat));
        if (by_d_hat_.find_first() && estimates_.f_hat(by_d_hat_.first()) <= limit_)
            return this->expand_best(by_d_hat_);
        return least_f_hat <= limit_ ? this->expand_best(by_f_hat_) : this->expand_best(by_f_);
    }

    GatedQueue<DHatKey, DiesWith::path, BucketQueue, FHatKey> by_d_hat_;
    OpenQueue<FHatKey> by_f_hat_;
    Cost limit_ = -1;
};

}  // namespace

const SearchInfo ees_search{
    .name = "ees",
    .summary = "Explicit estimation search: least d̂ (steps to go) first, of nodes with f̂ <= w times the least f̂.",
    .proves = "w",
    .guide_demand = all_guides,
    .make = [](Run& run) { return steps_of<ExplicitEstimation>(run); }};

}  // namespace fsplan
