#include "bounds/landmarks.hpp"

namespace fsplan {

namespace {

Rows operators_of_actions(const Relaxation& relaxation, std::size_t action_count) {
    std::vector<std::uint32_t> begin(action_count + 1);
    for (auto action : relaxation.action) begin[action == kNoAction ? 0 : action + 1] += action != kNoAction;
    for (std::size_t a = 0; a < action_count; ++a) begin[a + 1] += begin[a];
    Rows rows{begin, std::vector<std::uint32_t>(begin.back())};
    for (OperatorId op = 0; op < relaxation.operator_count(); ++op) {
        if (relaxation.action[op] != kNoAction) rows.items[begin[relaxation.action[op]]++] = op;
    }
    return rows;
}

std::vector<Word> packed(const GroundTask& task, const Layout& layout, std::span<const std::int32_t> values) {
    std::vector<Word> words(layout.words);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (task.layer[v] < 0) layout.field[v].set(words.data(), static_cast<Word>(values[v]));
    }
    return words;
}

}  // namespace

AllowedActions::AllowedActions(const Relaxation& relaxation, std::size_t action_count)
    : relaxation_(relaxation), operators_(operators_of_actions(relaxation, action_count)), allowed_(action_count) {
    for (auto op : relaxation.unconditional) {
        if (relaxation.action[op] == kNoAction) rules_.push_back(op);
    }
}

bool AllowedActions::begin(std::span<const std::uint32_t> start, Budget& watch) {
    missing_ = relaxation_.precondition_count;
    reached_.assign(relaxation_.fact_count, 0);
    std::fill(allowed_.begin(), allowed_.end(), 0);
    leads_to_goal_.assign(relaxation_.fact_count, 0);
    goal_is_near_ = false;
    trail_.assign(start.begin(), start.end());
    for (auto fact : start) reached_[fact] = 1;
    next_ = 0;
    run(rules_);
    return !reaches_goal(watch);
}

bool AllowedActions::try_to_allow(ActionId action, Budget& watch) {
    const std::size_t reached_before = trail_.size();
    allowed_[action] = 1;
    run(operators_[action]);
    const bool is_fact_alone = operators_[action].size() == 1 && trail_.size() == reached_before + 1;
    if (!reaches_goal(watch)) return true;
    if (is_fact_alone) leads_to_goal_[trail_[reached_before]] = 1;
    allowed_[action] = 0;
    undo(reached_before);
    return false;
}

inline void AllowedActions::apply(OperatorId op) {
    for (auto fact : relaxation_.effect[op]) {
        if (reached_[fact]) continue;
        reached_[fact] = 1;
        trail_.push_back(fact);
        goal_is_near_ |= leads_to_goal_[fact] != 0;
    }
}

void AllowedActions::run(std::span<const OperatorId> operators) {
    work_ += operators.size();
    for (auto op : operators) {
        if (may_run(op)) apply(op);
    }
}

bool AllowedActions::reaches_goal(Budget& watch) {
    watch.tick();
    while (next_ < trail_.size() && !goal_is_near_ && missing_[relaxation_.goal()] != 0) {
        watch.tick();
        const auto operators = relaxation_.needed_by[trail_[next_++]];
        work_ += operators.size();
        for (auto op : operators) {
            --missing_[op];
            if (may_run(op)) apply(op);
        }
    }
    return goal_is_near_ || missing_[relaxation_.goal()] == 0;
}

void AllowedActions::undo(std::size_t reached_before) {
    for (; next_ > reached_before; --next_) {
        for (auto op : relaxation_.needed_by[trail_[next_ - 1]]) ++missing_[op];
    }
    for (auto fact = trail_.begin() + static_cast<std::ptrdiff_t>(reached_before); fact != trail_.end(); ++fact)
        reached_[*fact] = 0;
    trail_.resize(reached_before);
    goal_is_near_ = false;
}

LandmarkFinder::LandmarkFinder(const GroundTask& task, std::span<const std::int32_t> start, Budget& watch)
    : task_(task), layout_(task), relaxation_(relax(task, Duplicates::keep, watch)),
      start_(packed(task, layout_, start)), cuts_(task, layout_, relaxation_),
      allowed_(relaxation_, task.action_count()), is_member_(task.action_count()) {
    FactReader(task, layout_, relaxation_).read(start_.data(), start_facts_);
}

Cost LandmarkFinder::cuts(std::span<const Cost> costs, LinearRows& found, Budget& watch) {
    for (std::size_t op = 0; op < relaxation_.operator_count(); ++op) {
        if (relaxation_.action[op] != kNoAction) relaxation_.cost[op] = costs[relaxation_.action[op]];
    }
    cuts_.read_costs();
    landmarks_.clear();
    const Cost sum = cuts_.sum(start_.data(), [&](std::span<const OperatorId> cut, Cost) {
        watch.look();
        auto& landmark = landmarks_.emplace_back();
        for (auto op : cut) landmark.push_back(relaxation_.action[op]);
    });
    if (sum == kDeadEnd) return sum;
    for (auto& landmark : landmarks_) {
        minimise(landmark, watch);
        add(std::move(landmark), found);
    }
    return sum;
}

void LandmarkFinder::last_of(std::span<const ActionId> order, bool with_pairs, LinearRows& found, Budget& watch) {
    if (with_pairs && !with_pairs_) throw std::invalid_argument("there is no relaxation with pairs");
    auto& allowed = with_pairs ? *with_pairs_ : allowed_;
    if (!allowed.begin(with_pairs ? pairs_.start : start_facts_, watch)) return;
    std::vector<ActionId> landmark;
    for (auto action : order) {
        if (!allowed.try_to_allow(action, watch)) landmark.push_back(action);
    }
    add(std::move(landmark), found);
}

std::size_t LandmarkFinder::make_pairs(std::size_t most_terms, Budget& watch) {
    if (task_.has_derived()) return 0;
    auto pairs = relax_with_pairs(task_, relaxation_, start_facts_, most_terms, watch);
    if (pairs.pairs.empty()) return 0;
    pairs_ = std::move(pairs);
    with_pairs_.emplace(pairs_.relaxation, task_.action_count());
    return pairs_.pairs.size();
}

std::vector<std::vector<FactId>> LandmarkFinder::pair_cut(std::span<const ActionId> landmark, Budget& watch) {
    if (!with_pairs_) return {};
    if (!pair_cuts_)
        pair_cuts_.emplace(pairs_.relaxation, task_.action_count(), pairs_.task_fact.size(), pairs_.first_pair);
    std::vector<std::vector<FactId>> sets;
    for (const auto fact : pair_cuts_->of(landmark, pairs_.start, watch)) sets.push_back(pairs_.facts_of(fact));
    return sets;
}

void LandmarkFinder::minimise(std::vector<ActionId>& landmark, Budget& watch) {
    if (!allowed_.begin(start_facts_, watch)) return;
    for (auto action : landmark) is_member_[action] = 1;
    for (ActionId action = 0; action < is_member_.size(); ++action) {
        if (!is_member_[action]) allowed_.try_to_allow(action, watch);
    }
    for (auto action : landmark) is_member_[action] = 0;
    sort_unique(landmark);
    std::erase_if(landmark, [&](auto action) { return allowed_.try_to_allow(action, watch); });
}

void LandmarkFinder::add(std::vector<ActionId> landmark, LinearRows& found) {
    if (landmark.empty()) return;
    std::ranges::sort(landmark);
    if (!known_.insert(landmark).second) return;
    for (auto action : landmark) found.add_term(action, 1);
    found.end_row(1);
}

}  // namespace fsplan
