#include "landmarks/incremental_cuts.hpp"

#include <algorithm>
#include <cstring>

namespace fsplan {

IncrementalCuts::IncrementalCuts(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
    : relaxation_(relaxation), cuts_(task, layout, relaxation),
      state_words_(layout.stored_words * sizeof(Word) / sizeof(std::uint32_t)), parent_(layout.stored_words),
      is_before_(relaxation.fact_count), is_new_(relaxation.fact_count), leads_(relaxation.operator_count()) {}

bool IncrementalCuts::must_evaluate_parent(const Place& place) {
    ++children_;
    if (place.parent == last_parent_) return false;
    last_parent_ = place.parent;
    ++parents_;
    return place.parent_state != nullptr && children_ >= 2 * parents_ && records_.of(place.parent).empty();
}

Cost IncrementalCuts::charge_known(const Word* state, std::span<const std::uint32_t> record) {
    if (record.size() <= state_words_) return 0;
    std::memcpy(parent_.data(), record.data(), parent_.size() * sizeof(Word));
    if (!find_ways(parent_.data(), state)) return 0;
    Cost sum = 0;
    for (std::size_t next = state_words_; next < record.size();) {
        const auto cost = static_cast<Cost>(record[next]);
        const auto cut = record.subspan(next + 2, record[next + 1]);
        next += 2 + cut.size();
        if (!is_kept(cut)) continue;
        cuts_.charge(cut, cost);
        add(cut, cost);
        sum = saturating_add(sum, cost);
    }
    for (auto op : ways_) leads_[op] = 0;
    return sum;
}

bool IncrementalCuts::find_ways(const Word* parent, const Word* child) {
    ways_.clear();
    cuts_.reader().read(parent, before_);
    cuts_.reader().read(child, new_);
    for (auto fact : before_) is_before_[fact] = 1;
    std::erase_if(new_, [&](auto fact) { return is_before_[fact] != 0; });
    for (auto fact : new_) is_new_[fact] = 1;
    if (!new_.empty()) {
        for (auto op : cuts_.achievers(new_.front())) {
            if (is_way(op)) ways_.push_back(op);
        }
    }
    for (auto fact : before_) is_before_[fact] = 0;
    for (auto fact : new_) is_new_[fact] = 0;
    for (auto op : ways_) leads_[op] = 1;
    return new_.empty() || !ways_.empty();
}

// Whether the operator is applicable in the parent and adds all new facts of the child. Derived facts count as false in
// the parent, so the result is false for operators with derived preconditions.
bool IncrementalCuts::is_way(OperatorId op) const {
    const auto precondition = relaxation_.precondition[op], effect = relaxation_.effect[op];
    const auto brought = std::count_if(effect.begin(), effect.end(), [&](auto fact) { return is_new_[fact] != 0; });
    return static_cast<std::size_t>(brought) == new_.size() &&
           std::all_of(precondition.begin(), precondition.end(), [&](auto fact) { return is_before_[fact] != 0; });
}

// Whether the cut is still a landmark of the child: the child has no new facts, or an operator outside the cut adds all
// of its new facts and is applicable in the parent.
bool IncrementalCuts::is_kept(std::span<const OperatorId> cut) const {
    if (ways_.empty()) return true;
    std::size_t blocked = 0;
    for (auto op : cut) blocked += leads_[op];
    return blocked < ways_.size();
}

void IncrementalCuts::add(std::span<const OperatorId> cut, Cost cost) {
    record_.push_back(static_cast<std::uint32_t>(cost));
    record_.push_back(static_cast<std::uint32_t>(cut.size()));
    record_.insert(record_.end(), cut.begin(), cut.end());
}

void IncrementalCuts::keep_record(const Word* state, StateId node) {
    std::memcpy(record_.data(), state, parent_.size() * sizeof(Word));
    records_.set(node, record_);
}

}  // namespace fsplan
