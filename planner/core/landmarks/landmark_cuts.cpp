#include "landmarks/landmark_cuts.hpp"

namespace fsplan {

namespace {

Rows to_rows(const std::vector<std::vector<std::uint32_t>>& lists) {
    Rows rows;
    for (const auto& list : lists) {
        rows.items.insert(rows.items.end(), list.begin(), list.end());
        rows.end_row();
    }
    return rows;
}

// action -> its operators; empty rows for actions with a single operator.
Rows shared_operators(const Relaxation& relaxation, std::size_t action_count) {
    std::vector<std::vector<std::uint32_t>> lists(action_count);
    for (OperatorId op = 0; op < relaxation.operator_count(); ++op) {
        if (relaxation.action[op] != kNoAction) lists[relaxation.action[op]].push_back(op);
    }
    for (auto& list : lists) {
        if (list.size() == 1) list.clear();
    }
    return to_rows(lists);
}

// Copies the first facts of a row into the array `places`, and appends the remaining ones to `more`.
template <std::size_t Size>
void place(std::span<const std::uint32_t> row, std::array<std::uint32_t, Size>& places, Rows& more) {
    const auto count = std::min(row.size(), Size);
    std::copy_n(row.begin(), count, places.begin());
    more.items.insert(more.items.end(), row.begin() + static_cast<std::ptrdiff_t>(count), row.end());
    more.end_row();
}

}  // namespace

LandmarkCuts::LandmarkCuts(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
    : relaxation_(relaxation), reader_(task, layout, relaxation_), queues_(relaxation_),
      achievers_(transpose(relaxation_.effect, relaxation_.fact_count)),
      shared_(shared_operators(relaxation_, task.action_count())) {
    const auto facts = relaxation_.fact_count;
    read_costs();
    add_shapes();
    enters_zone_.resize(relaxation_.operator_count());
    in_zone_.resize(facts + 1);
    visited_.resize(facts + 1);
    reached_.resize(facts + 1);
    last_link_.resize(facts + 1);
}

void LandmarkCuts::read_costs() {
    queues_ = BatchQueues(relaxation_);
    free_from_the_start_.assign(relaxation_.fact_count, 0);
    untouched_.clear();
    for (OperatorId op = 0; op < relaxation_.operator_count(); ++op) {
        untouched_.push_back({kNoFact, kDeadEnd, relaxation_.cost[op], relaxation_.precondition_count[op]});
        if (relaxation_.cost[op] != 0) continue;
        for (auto fact : relaxation_.effect[op]) ++free_from_the_start_[fact];
    }
}

void LandmarkCuts::add_shapes() {
    more_preconditions_.end_row();
    more_effects_.end_row();
    for (OperatorId op = 0; op < relaxation_.operator_count(); ++op) {
        auto& shape = shapes_.emplace_back();
        shape.precondition.fill(zero_fact());
        shape.effect.fill(zero_fact());
        const auto precondition = relaxation_.precondition[op], effect = relaxation_.effect[op];
        const bool fits = precondition.size() <= shape.precondition.size() && effect.size() <= shape.effect.size();
        Rows none;
        place(precondition, shape.precondition, fits ? none : more_preconditions_);
        place(effect, shape.effect, fits ? none : more_effects_);
        shape.more = fits ? 0 : static_cast<std::uint32_t>(more_effects_.size() - 1);
    }
}

inline void LandmarkCuts::reach_effects(OperatorId op, Cost key) {
    for (auto fact : relaxation_.effect[op]) {
        if (h_[fact] != kDeadEnd) continue;
        h_[fact] = key;
        newly_reached_.push_back(fact);
    }
}

void LandmarkCuts::restore_costs() {
    operators_ = untouched_;
    free_achievers_ = free_from_the_start_;
    costs_restored_ = true;
}

template <class Queue>
Cost LandmarkCuts::explore(Queue& queue, const Word* state) {
    h_.assign(relaxation_.fact_count, kDeadEnd);
    h_.push_back(0);
    queue.clear();
    reader_.read(state, newly_reached_);
    for (auto fact : newly_reached_) h_[fact] = 0;
    for (auto op : relaxation_.unconditional) {
        operators_[op].supporter = zero_fact();
        operators_[op].h = 0;
        queue.push(op, operators_[op].cost);
    }
    Cost key = 0;
    while (true) {
        std::ranges::reverse(newly_reached_);
        for (std::size_t next = 0; next < newly_reached_.size(); ++next) {
            const auto needed_by = relaxation_.needed_by[newly_reached_[next]];
            work_ += needed_by.size();
            for (auto op : needed_by) {
                auto& each = operators_[op];
                if (--each.unreached != 0) continue;
                each.supporter = newly_reached_[next];
                each.h = key;
                if (each.cost == 0) reach_effects(op, key);
                else queue.push(op, saturating_add(key, each.cost));
            }
        }
        if (queue.empty() || key >= ceiling()) break;
        batch_.clear();
        newly_reached_.clear();
        key = queue.pop(batch_);
        for (auto op : batch_) reach_effects(op, key);
    }
    highest_h_ = key;
    return goal_h();
}

// The exploration may end at ceiling(). An operator that was not reached by then may have any unreached precondition
// as its supporter.
bool LandmarkCuts::choose_unreached(OperatorId op) {
    if (costs_restored_) return false;
    const auto row = relaxation_.precondition[op];
    operators_[op].supporter = *std::ranges::max_element(row, [&](auto a, auto b) { return h_[a] < h_[b]; });
    return true;
}

void LandmarkCuts::enter_zone(std::uint32_t fact) {
    if (in_zone_[fact] == cut_number_) return;
    in_zone_[fact] = cut_number_;
    zone_.push_back(fact);
}

// Chooses among the preconditions of highest h_max, each of which may be the supporter. Prefers one that is already in
// the goal zone or has no achiever of cost 0, because then the zone does not grow; smaller zones give more cuts.
std::uint32_t LandmarkCuts::keep_zone_small(OperatorId op) {
    auto& each = operators_[op];
    for (auto fact : relaxation_.precondition[op]) {
        if (h_[fact] != each.h) continue;
        if (free_achievers_[fact] == 0 || in_zone_[fact] == cut_number_) return each.supporter = fact;
    }
    return each.supporter;
}

void LandmarkCuts::find_cut(Cost goal_h) {
    ++cut_number_;
    zone_.clear();
    cut_.clear();
    enter_zone(keep_zone_small(relaxation_.goal()));
    for (std::size_t next = 0; next < zone_.size(); ++next) {
        work_ += achievers_[zone_[next]].size();
        for (auto op : achievers_[zone_[next]]) {
            const auto& each = operators_[op];
            if (!has_supporter(op)) continue;
            if (each.cost == 0) {
                enter_zone(keep_zone_small(op));
            } else if (enters_zone_[op] != cut_number_) {
                enters_zone_[op] = cut_number_;
                cut_.push_back(op);
            }
        }
    }
    keep_reachable(goal_h);
}

void LandmarkCuts::keep_reachable(Cost goal_h) {
    links_.clear();
    std::erase_if(cut_, [&](auto op) {
        const auto from = operators_[op].supporter;
        return in_zone_[from] == cut_number_ || (h_[from] >= goal_h && !is_reachable(from, goal_h));
    });
}

inline void LandmarkCuts::visit(std::uint32_t fact) {
    visited_[fact] = cut_number_;
    last_link_[fact] = kNoLink;
    stack_.push_back({fact, 0});
}

// Marks the fact as reachable, and all facts that the recorded links lead to from it.
void LandmarkCuts::reach(std::uint32_t fact) {
    found_.assign(1, fact);
    reached_[fact] = cut_number_;
    for (std::size_t next = 0; next < found_.size(); ++next) {
        for (auto link = last_link_[found_[next]]; link != kNoLink; link = links_[link].previous) {
            const auto to = links_[link].to;
            if (reached_[to] == cut_number_) continue;
            reached_[to] = cut_number_;
            found_.push_back(to);
        }
    }
}

// Searches backwards, depth first, for a fact with h_max < goal_h from which `fact` is reachable outside the zone. A
// fact visited without success becomes reachable as soon as one of its predecessors does; the links record these
// dependencies.
bool LandmarkCuts::is_reachable(std::uint32_t fact, Cost goal_h) {
    if (visited_[fact] == cut_number_) return reached_[fact] == cut_number_;
    stack_.clear();
    visit(fact);
    while (!stack_.empty()) {
        const auto [to, next] = stack_.back();
        const auto row = achievers_[to];
        if (next == row.size()) {
            stack_.pop_back();
            continue;
        }
        ++stack_.back().next;
        const auto op = row[next];
        if (!has_supporter(op)) continue;
        const auto from = operators_[op].supporter;
        if (enters_zone_[op] == cut_number_ || in_zone_[from] == cut_number_) continue;
        if (h_[from] < goal_h || reached_[from] == cut_number_) {
            reach(to);
            return true;  // `fact` is reachable from every fact on the stack
        }
        if (visited_[from] != cut_number_) visit(from);
        links_.push_back({to, last_link_[from]});
        last_link_[from] = static_cast<std::uint32_t>(links_.size() - 1);
    }
    return false;
}

void LandmarkCuts::add_shared() {
    if (shared_.items.empty()) return;
    for (std::size_t next = 0, size = cut_.size(); next < size; ++next) {
        auto action = relaxation_.action[cut_[next]];
        auto row = action == kNoAction ? std::span<const std::uint32_t>{} : shared_[action];
        cut_.insert(cut_.end(), row.begin(), row.end());
    }
    sort_unique(cut_);
}

Cost LandmarkCuts::cheapest_of_cut() const {
    auto cheapest = kDeadEnd;
    for (auto op : cut_) cheapest = std::min(cheapest, operators_[op].cost);
    return cheapest;
}

void LandmarkCuts::charge_cut(Cost cost) {
    add_shared();
    for (auto op : cut_) {
        operators_[op].cost -= cost;
        if (operators_[op].cost != 0) continue;
        for (auto fact : relaxation_.effect[op]) ++free_achievers_[fact];
    }
}

void LandmarkCuts::charge(std::span<const OperatorId> cut, Cost cost) {
    cut_.assign(cut.begin(), cut.end());
    charge_cut(cost);
    costs_restored_ = false;
}

template <class Queue>
[[gnu::noinline]] void LandmarkCuts::lower_effects(OperatorId op, Queue& queue) {
    const auto cost = saturating_add(operators_[op].h, operators_[op].cost);
    for (auto fact : relaxation_.effect[op]) {
        if (cost >= h_[fact]) continue;
        h_[fact] = cost;
        queue.push(fact, cost);
    }
}

// Called when h_max of the fact has fallen to `cost`. Each operator that it supports chooses a new supporter, a
// precondition of highest h_max. Effects are lowered only to values below `limit`, so few operators lower any.
template <class Queue>
[[gnu::noinline]] void LandmarkCuts::update_supported(std::uint32_t fact, Cost cost, Cost limit, Queue& queue) {
    work_ += relaxation_.needed_by[fact].size();
    const Cost* const h_of = h_.data();
    Operator* const operators = operators_.data();
    const Shape* const shapes = shapes_.data();
    for (auto op : relaxation_.needed_by[fact]) {
        auto& each = operators[op];
        if ((each.supporter != fact && each.supporter != kNoFact) || each.h <= cost) continue;
        const auto& shape = shapes[op];
        Cost h = cost;
        auto supporter = fact;
        const auto compare = [&](std::uint32_t other) {
            supporter = h_of[other] > h ? other : supporter;
            h = std::max(h, h_of[other]);
        };
        for (auto other : shape.precondition) compare(other);
        auto highest = std::max({h_of[shape.effect[0]], h_of[shape.effect[1]], h_of[shape.effect[2]]});
        if (shape.more != 0) [[unlikely]] {
            for (auto other : more_preconditions_[shape.more]) compare(other);
            for (auto other : more_effects_[shape.more]) highest = std::max(highest, h_of[other]);
        }
        each.supporter = h == kDeadEnd ? kNoFact : supporter;
        each.h = h;
        if (each.due_before(std::min(highest, limit))) {
            lower_effects(op, queue);
        } else if (highest == 0 && op != relaxation_.goal()) {
            each.supporter = kUseless;
        }
    }
}

template <class Queue>
void LandmarkCuts::repair(Queue& queue) {
    const Cost limit = ceiling();
    for (auto op : cut_) {
        if (operators_[op].due_before(limit)) lower_effects(op, queue);
    }
    while (!queue.empty()) {
        const auto [fact, cost] = queue.pop();
        if (cost >= ceiling()) return queue.clear();
        if (h_[fact] == cost) update_supported(fact, cost, limit, queue);
    }
}

Cost LandmarkCuts::explore(const Word* state) {
    const auto with_queue = [&](auto& queue) { return explore(queue, state); };
    return costs_restored_ ? queues_.with_suitable(with_queue) : queues_.with_general(with_queue);
}

void LandmarkCuts::repair() {
    if (highest_h_ < FactBuckets::kLimit) repair(buckets_);
    else repair(heap_);
}

}  // namespace fsplan
