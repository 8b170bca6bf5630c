#include "heuristics/guided_heuristic.hpp"

namespace fsplan {

std::span<const ActionId> GuidedHeuristic::helpful() {
    if (!guided_) return {};
    return plan_->helpful();
}

void GuidedHeuristic::want_guide(bool on) {
    if (on && !plan_) plan_.emplace(task_, layout_);
    guided_ = on;
}

const Relaxation& GuidedHeuristic::relaxation(Budget& watch) {
    if (!relaxation_) relaxation_ = relax(task_, Duplicates::merge, watch);
    return *relaxation_;
}

Cost GuidedHeuristic::explore_max(const Word* state) {
    if (!exploration_) exploration_ = make_max_exploration(task_, layout_, relaxation());
    add_work(relaxation_->work());
    return exploration_->explore(state, guided());
}

Evaluation GuidedHeuristic::explore_guide(const Word* state) {
    const Cost h_max = explore_max(state);
    return guide_after(h_max, state, h_max);
}

Evaluation GuidedHeuristic::guide_after(Cost h_max, const Word* state, Cost h) {
    if (h_max != kDeadEnd) {
        const Cost guide = plan_->read(*exploration_, state);
        return {h, guide, plan_->steps()};
    }
    plan_->clear();
    return {h, kDeadEnd, kDeadEnd};
}

}  // namespace fsplan
