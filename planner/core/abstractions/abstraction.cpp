#include "abstractions/abstraction.hpp"

#include "containers/sorted.hpp"

namespace fsplan {

namespace {

constexpr Cost kLowest = std::numeric_limits<Cost>::min();

}  // namespace

void SplitTree::split(std::uint32_t state, std::uint32_t variable, std::span<const std::uint8_t> wanted,
                      std::uint32_t other) {
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    if (node > 0) nodes_[leaf_[state].node].next[leaf_[state].side] = static_cast<std::int32_t>(node);
    leaf_.resize(std::max<std::size_t>(leaf_.size(), std::max(state, other) + std::size_t{1}));
    leaf_[state] = {node, 0};
    leaf_[other] = {node, 1};
    const auto sides = static_cast<std::uint32_t>(sides_.size());
    nodes_.push_back({variable, sides, {-1 - static_cast<std::int32_t>(state), -1 - static_cast<std::int32_t>(other)}});
    sides_.insert(sides_.end(), wanted.begin(), wanted.end());
}

Abstraction::Abstraction(AbstractionParts parts)
    : splits_(std::move(parts.splits)), size_(parts.size), goals_(std::move(parts.goals)),
      predecessors_begin_(parts.size + 2), predecessors_(parts.transitions.size()) {
    for (const auto& each : parts.transitions) actions_.push_back(each.action);
    sort_unique(actions_);
    sort_unique(parts.loops);
    for (std::uint32_t position = 0; position < actions_.size(); ++position) {
        members_.items.push_back(position);
        members_.end_row();
        may_stay_.push_back(std::binary_search(parts.loops.begin(), parts.loops.end(), actions_[position]));
    }
    for (const auto& each : parts.transitions) ++predecessors_begin_[each.to + 2];
    for (std::size_t s = 2; s < predecessors_begin_.size(); ++s) predecessors_begin_[s] += predecessors_begin_[s - 1];
    for (const auto& each : parts.transitions) {
        const auto group = std::lower_bound(actions_.begin(), actions_.end(), each.action) - actions_.begin();
        predecessors_[predecessors_begin_[each.to + 1]++] = {each.from, static_cast<std::uint32_t>(group)};
    }
    predecessors_begin_.pop_back();
    work_ = size_ + actions_.size() + predecessors_.size();
}

std::size_t Abstraction::index(std::span<const std::int32_t> values) const {
    if (!splits_.empty()) return splits_.find(values);
    std::size_t index = 0;
    for (std::size_t i = 0; i < pattern_.size(); ++i)
        index += static_cast<std::size_t>(values[pattern_[i]]) * stride_[i];
    return reachable_.empty() ? index : reachable_.at(static_cast<std::uint32_t>(index));
}

void Abstraction::distances(std::span<const Cost> costs, std::vector<Cost>& h, Budget& watch) {
    group_cost_.assign(members_.size(), kDeadEnd);
    for (std::size_t group = 0; group < members_.size(); ++group) {
        for (auto position : members_[group])
            group_cost_[group] = std::min(group_cost_[group], costs[actions_[position]]);
    }
    h.assign(size_, kDeadEnd);
    open_.clear();
    for (auto goal : goals_) {
        h[goal] = 0;
        open_.emplace_back(0, goal);
    }
    const std::greater<> later;
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end(), later);
        const auto [cost, state] = open_.back();
        open_.pop_back();
        if (h[state] != cost) continue;
        watch.tick();
        for (auto p = predecessors_begin_[state]; p < predecessors_begin_[state + 1]; ++p) {
            const auto [from, group] = predecessors_[p];
            // Distances are capped below kDeadEnd, which keeps them admissible.
            const auto sum = std::min<std::int64_t>(std::int64_t{cost} + group_cost_[group], kDeadEnd / 4);
            if (sum >= h[from]) continue;
            h[from] = static_cast<Cost>(sum);
            open_.emplace_back(h[from], from);
            std::push_heap(open_.begin(), open_.end(), later);
        }
    }
}

void Abstraction::saturate(std::span<const Cost> h, std::vector<Saturated>& costs, Budget& watch) const {
    std::vector<Cost> of_group(members_.size(), kLowest);
    for (std::uint32_t state = 0; state < size_; ++state) {
        if (h[state] == kDeadEnd) continue;  // no plan visits a dead end
        watch.tick();
        for (auto p = predecessors_begin_[state]; p < predecessors_begin_[state + 1]; ++p) {
            const auto [from, group] = predecessors_[p];
            of_group[group] = std::max(of_group[group], h[from] - h[state]);
        }
    }
    std::vector<Cost> of_action(actions_.size(), kLowest);
    for (std::size_t position = 0; position < actions_.size(); ++position) {
        if (may_stay_[position]) of_action[position] = 0;
    }
    for (std::size_t group = 0; group < members_.size(); ++group) {
        for (auto position : members_[group]) of_action[position] = std::max(of_action[position], of_group[group]);
    }
    costs.clear();
    for (std::size_t position = 0; position < actions_.size(); ++position) {
        if (of_action[position] != 0 && of_action[position] != kLowest)
            costs.push_back({actions_[position], of_action[position]});
    }
}

std::vector<std::int64_t> Abstraction::signed_distances(std::span<const std::int64_t> costs, Budget& watch) const {
    std::vector<std::int64_t> group_cost(members_.size(), kNoPath);
    for (std::size_t group = 0; group < members_.size(); ++group) {
        for (auto position : members_[group])
            group_cost[group] = std::min(group_cost[group], costs[actions_[position]]);
    }
    std::vector<std::int64_t> h(size_, kNoPath);
    std::vector<std::uint8_t> is_waiting(size_);
    std::deque<std::uint32_t> queue(goals_.begin(), goals_.end());
    for (auto goal : goals_) {
        h[goal] = 0;
        is_waiting[goal] = 1;
    }
    for (; !queue.empty(); queue.pop_front()) {
        const auto state = queue.front();
        is_waiting[state] = 0;
        for (auto p = predecessors_begin_[state]; p < predecessors_begin_[state + 1]; ++p) {
            watch.tick();
            const auto [from, group] = predecessors_[p];
            if (h[from] <= h[state] + group_cost[group]) continue;
            h[from] = h[state] + group_cost[group];
            if (!is_waiting[from]) queue.push_back(from);
            is_waiting[from] = 1;
        }
    }
    return h;
}

std::vector<std::uint32_t> Abstraction::numbers() const {
    std::vector<std::uint32_t> found(size_);
    std::iota(found.begin(), found.end(), 0U);
    for (auto [number, place] : reachable_) found[place] = number;
    return found;
}

}  // namespace fsplan
