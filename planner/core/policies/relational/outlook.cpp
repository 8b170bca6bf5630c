#include "policies/relational/outlook.hpp"

#include <algorithm>

namespace fsplan::relational {

Outlook::Outlook(const GroundTask& task)
    : task_(task), layout_(task), relaxation_(relax(task)),
      exploration_(make_max_exploration(task, layout_, relaxation_)), plan_(task, layout_), state_(layout_.words),
      successor_(layout_.words), need_(task.fact_count()), is_needed_(task.variable_count()) {}

void Outlook::set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions) {
    for (std::size_t variable = 0; variable < values.size(); ++variable)
        if (task_.layer[variable] < 0) layout_.field[variable].set(state_.data(), static_cast<Word>(values[variable]));
    guide_ = evaluate(state_.data());
    mark_helpful(actions);
    count_needs();
}

Cost Outlook::evaluate(const Word* state) {
    work_ += relaxation_.work();
    if (exploration_->explore(state, true) != kDeadEnd) return plan_.read(*exploration_, state);
    plan_.clear();
    return kDeadEnd;
}

// Both lists are sorted.
void Outlook::mark_helpful(std::span<const ActionId> actions) {
    helpful_.assign(actions.size(), 0);
    auto from = actions.begin();
    for (const ActionId helpful : plan_.helpful()) {
        from = std::lower_bound(from, actions.end(), helpful);
        if (from != actions.end() && *from == helpful) helpful_[static_cast<std::size_t>(from - actions.begin())] = 1;
    }
}

void Outlook::add_need(FactId fact, std::uint32_t Need::* count) {
    if (need_[fact].all == 0) {
        needed_.push_back(fact);
        is_needed_[layout_.variable_of[fact]] = 1;
    }
    ++(need_[fact].*count);
}

void Outlook::count_needs() {
    for (const FactId fact : needed_) {
        need_[fact] = {};
        is_needed_[layout_.variable_of[fact]] = 0;
    }
    needed_.clear();
    if (guide_ == kDeadEnd) return;
    for (const FactId fact : task_.goal) add_need(fact, &Need::all);
    for (const ActionId action : plan_.actions())
        for (const FactId fact : task_.precondition[action]) add_need(fact, &Need::all);
    for (const ActionId action : plan_.helpful())
        for (const FactId fact : task_.precondition[action]) add_need(fact, &Need::now);
}

Cost Outlook::guide_after(std::span<const FactId> effects) {
    std::copy(state_.begin(), state_.end(), successor_.begin());
    for (const FactId fact : effects) {
        const std::uint32_t variable = layout_.variable_of[fact];
        layout_.field[variable].set(successor_.data(), static_cast<Word>(fact - task_.first_fact[variable]));
    }
    return evaluate(successor_.data());
}

}  // namespace fsplan::relational
