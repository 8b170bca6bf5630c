#include "heuristics/landmark_cuts.hpp"

#include <algorithm>


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

// Rows only for actions of several operators.
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

}  // namespace

LandmarkCuts::LandmarkCuts(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
    : relaxation_(relaxation),
      reader_(task, layout, relaxation_),
      queues_(relaxation_),
      achievers_(transpose(relaxation_.effect, relaxation_.fact_count)),
      shared_(shared_operators(relaxation_, task.action_count())) {
    const auto facts = relaxation_.fact_count;
    read_costs();
    enters_zone_.resize(relaxation_.operator_count());
    in_zone_.resize(facts + 1);
    looked_at_.resize(facts + 1);
    reached_.resize(facts + 1);
    last_way_.resize(facts + 1);
}

void LandmarkCuts::read_costs() {
    queues_ = BatchQueues(relaxation_);
    free_from_the_start_.assign(relaxation_.fact_count, 0);
    for (std::size_t op = 0; op < relaxation_.operator_count(); ++op) {
        if (relaxation_.cost[op] != 0) continue;
        for (auto fact : relaxation_.effect[op]) ++free_from_the_start_[fact];
    }
}

inline void LandmarkCuts::bring(OperatorId op, Cost key) {
    for (auto fact : relaxation_.effect[op]) {
        if (h_[fact] != kDeadEnd) continue;
        h_[fact] = key;
        fresh_.push_back(fact);
    }
}

template <class Queue>
Cost LandmarkCuts::explore(Queue& queue, const Word* state) {
    const auto nothing = static_cast<std::uint32_t>(relaxation_.fact_count);
    cost_ = relaxation_.cost;
    missing_ = relaxation_.precondition_count;
    free_achievers_ = free_from_the_start_;
    support_.assign(relaxation_.operator_count(), {kNoFact, 0});
    h_.assign(relaxation_.fact_count, kDeadEnd);
    h_.push_back(0);
    queue.clear();
    reader_.read(state, fresh_);
    for (auto fact : fresh_) h_[fact] = 0;
    for (auto op : relaxation_.unconditional) {
        support_[op] = {nothing, 0};
        queue.push(op, cost_[op]);
    }
    Cost key = 0;
    while (true) {
        std::reverse(fresh_.begin(), fresh_.end());
        for (std::size_t next = 0; next < fresh_.size(); ++next) {
            for (auto op : relaxation_.needed_by[fresh_[next]]) {
                if (--missing_[op] != 0) continue;
                support_[op] = {fresh_[next], key};
                if (cost_[op] == 0) bring(op, key);
                else queue.push(op, saturating_add(key, cost_[op]));
            }
        }
        if (queue.empty()) break;
        batch_.clear();
        fresh_.clear();
        key = queue.pop(batch_);
        for (auto op : batch_) bring(op, key);
    }
    highest_h_ = key;
    return support_[relaxation_.goal()].fact == kNoFact ? kDeadEnd : support_[relaxation_.goal()].h;
}

void LandmarkCuts::enter_zone(std::uint32_t fact) {
    if (in_zone_[fact] == cut_number_) return;
    in_zone_[fact] = cut_number_;
    zone_.push_back(fact);
}

// Any precondition of the supporter's h_max may support. One that is in the zone already, or that no free operator
// achieves, ends the zone there; a smaller zone leaves more for the cuts to come.
std::uint32_t LandmarkCuts::keep_zone_small(OperatorId op) {
    for (auto fact : relaxation_.precondition[op]) {
        if (h_[fact] != support_[op].h) continue;
        if (free_achievers_[fact] == 0 || in_zone_[fact] == cut_number_) return support_[op].fact = fact;
    }
    return support_[op].fact;
}

void LandmarkCuts::find_cut(Cost goal_h) {
    ++cut_number_;
    zone_.clear();
    cut_.clear();
    enter_zone(keep_zone_small(relaxation_.goal()));
    for (std::size_t next = 0; next < zone_.size(); ++next) {
        for (auto op : achievers_[zone_[next]]) {
            if (support_[op].fact == kNoFact) continue;
            if (cost_[op] == 0) {
                enter_zone(keep_zone_small(op));
            } else if (enters_zone_[op] != cut_number_) {
                enters_zone_[op] = cut_number_;
                cut_.push_back(op);
            }
        }
    }
    std::erase_if(cut_, [&](auto op) { return in_zone_[support_[op].fact] == cut_number_; });
    find_ways(goal_h);
    std::erase_if(cut_, [&](auto op) {
        auto from = support_[op].fact;
        return h_[from] >= goal_h && reached_[from] != cut_number_;
    });
}

// Looks backwards from the supporters at or above goal_h until facts that something below it leads to, then marks what
// can be reached from those.
void LandmarkCuts::find_ways(Cost goal_h) {
    open_.clear();
    way_.clear();
    found_.clear();
    auto look_at = [&](std::uint32_t fact) {
        if (looked_at_[fact] == cut_number_) return;
        looked_at_[fact] = cut_number_;
        last_way_[fact] = kNoWay;
        open_.push_back(fact);
    };
    auto reach = [&](std::uint32_t fact) {
        if (reached_[fact] == cut_number_) return;
        reached_[fact] = cut_number_;
        found_.push_back(fact);
    };
    for (auto op : cut_) {
        if (h_[support_[op].fact] >= goal_h) look_at(support_[op].fact);
    }
    for (std::size_t next = 0; next < open_.size(); ++next) {
        auto fact = open_[next];
        for (auto op : achievers_[fact]) {
            auto from = support_[op].fact;
            if (from == kNoFact || enters_zone_[op] == cut_number_ || in_zone_[from] == cut_number_) continue;
            if (h_[from] < goal_h) {
                reach(fact);
                break;
            }
            look_at(from);
            way_.push_back({fact, last_way_[from]});
            last_way_[from] = static_cast<std::uint32_t>(way_.size() - 1);
        }
    }
    for (std::size_t next = 0; next < found_.size(); ++next) {
        for (auto way = last_way_[found_[next]]; way != kNoWay; way = way_[way].before) reach(way_[way].to);
    }
}

void LandmarkCuts::add_shared() {
    if (shared_.items.empty()) return;
    for (std::size_t next = 0, size = cut_.size(); next < size; ++next) {
        auto action = relaxation_.action[cut_[next]];
        auto row = action == kNoAction ? std::span<const std::uint32_t>{} : shared_[action];
        cut_.insert(cut_.end(), row.begin(), row.end());
    }
    std::sort(cut_.begin(), cut_.end());
    cut_.erase(std::unique(cut_.begin(), cut_.end()), cut_.end());
}

Cost LandmarkCuts::charge_cut() {
    auto cheapest = kDeadEnd;
    for (auto op : cut_) cheapest = std::min(cheapest, cost_[op]);
    add_shared();
    for (auto op : cut_) {
        cost_[op] -= cheapest;
        if (cost_[op] != 0) continue;
        for (auto fact : relaxation_.effect[op]) ++free_achievers_[fact];
    }
    return cheapest;
}

template <class Queue>
inline void LandmarkCuts::lower_effects(OperatorId op, Queue& queue) {
    auto cost = saturating_add(support_[op].h, cost_[op]);
    for (auto fact : relaxation_.effect[op]) {
        if (cost >= h_[fact]) continue;
        h_[fact] = cost;
        queue.push(fact, cost);
    }
}

inline void LandmarkCuts::choose_supporter(OperatorId op) {
    auto best = support_[op].fact;
    for (auto fact : relaxation_.precondition[op]) {
        if (h_[fact] > h_[best]) best = fact;
    }
    support_[op] = {best, h_[best]};
}

template <class Queue>
void LandmarkCuts::repair(Queue& queue) {
    for (auto op : cut_) {
        if (support_[op].fact != kNoFact) lower_effects(op, queue);
    }
    while (!queue.empty()) {
        // At 0 the goal has no further cut, and nobody asks for the rest.
        if (support_[relaxation_.goal()].h == 0) return queue.clear();
        auto [fact, cost] = queue.pop();
        if (h_[fact] != cost) continue;
        for (auto op : relaxation_.needed_by[fact]) {
            const auto before = support_[op];
            if (before.fact != fact || before.h <= cost) continue;
            choose_supporter(op);
            if (support_[op].h < before.h) lower_effects(op, queue);
        }
    }
}

Cost LandmarkCuts::explore(const Word* state) {
    return queues_.with_suitable([&](auto& queue) { return explore(queue, state); });
}

void LandmarkCuts::repair() {
    if (highest_h_ < FactBuckets::kLimit) repair(buckets_);
    else repair(heap_);
}

}  // namespace fsplan
