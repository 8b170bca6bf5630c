#include "search/evaluation.hpp"

namespace fsplan {

void Evaluator::evaluate(StateId id) {
    space_[id].set_evaluated();
    const bool guided = demand_ != GuideDemand::none && !records_.owns(id);
    want_guide(guided);
    const Evaluation evaluation = ask(id);
    if (guided) records_.set(id, evaluation, helpful_of_last());
    want_guide(demand_ != GuideDemand::none);
    revise(id, evaluation);
}

void Evaluator::evaluate_cheaply(StateId id) {
    if (!has_cheap_evaluation()) space_[id].set_evaluated();
    revise(id, find_guide(id));
}

void Evaluator::forget_guides() {
    records_ = {};
    demand_ = GuideDemand::none;
    want_guide(false);
}

void Evaluator::revise(StateId id, const Evaluation& evaluation) {
    space_.tick();
    ++space_.statistics().evaluated;
    Node& node = space_[id];
    if (evaluation.h == kDeadEnd) {
        node.become(NodeStatus::dead);
        ++space_.statistics().dead_ends;
    } else {
        node.set_h(std::max(node.h(), evaluation.h));
        if (node.g != kInfinite && space_.is_out_of_range(std::int64_t{node.g} + node.h())) node.forget_path();
    }
}

void Evaluator::make_record(StateId id) {
    want_guide(true);
    // The h-value of a node may be raised only until the node enters a queue, because queues order their entries by it.
    const bool revisable = space_[id].awaits_evaluation() && space_[id].status() == NodeStatus::unreached;
    revisable ? evaluate_cheaply(id) : void(find_guide(id));
}

Evaluation Evaluator::find_guide(StateId id) {
    const Evaluation evaluation = ask_cheaply(id);
    records_.set(id, evaluation, helpful_of_last());
    return evaluation;
}

void Evaluator::want_guide_after(StateId parent, ActionId action) {
    if (!helpful_of_parent_known_) {
        const auto of_parent = helpful(parent);
        helpful_of_parent_.assign(of_parent.begin(), of_parent.end());
        helpful_of_parent_known_ = true;
    }
    want_guide(std::ranges::binary_search(helpful_of_parent_, action));
}

}  // namespace fsplan
