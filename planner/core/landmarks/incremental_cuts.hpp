// Incremental LM-cut for the nodes of a search: the landmarks of the parent that are also landmarks of the child are kept.
//
// Let L be a set of operators, one of which every plan from the parent uses. If the facts of the child can be reached
// from the parent without L, every plan from the child uses an operator of L, too: a plan from the child without L
// would extend to a plan from the parent without L. So L is kept if some operator outside L is applicable in the parent
// and adds all facts that are new in the child. The costs of the kept landmarks are charged first, then LM-cut
// continues. This saves most of its time, because few cuts remain to be found (Pommerening and Helmert 2013,
// "Incremental LM-cut"). The argument holds for any two states, so it stays correct if the search has found another
// parent in the meantime.
//
// The value depends on the parent. Like LM-cut's value it is admissible. It is at least the parent's value minus the
// action's cost if no action has conditional effects.
#pragma once

#include "landmarks/landmark_cuts.hpp"
#include "landmarks/recent_records.hpp"

namespace fsplan {

class IncrementalCuts {
public:
    // Task, layout and relaxation must outlive the object.
    IncrementalCuts(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : relaxation_(relaxation), cuts_(task, layout, relaxation),
          state_words_(layout.stored_words * sizeof(Word) / sizeof(std::uint32_t)), parent_(layout.stored_words),
          is_before_(relaxation.fact_count), is_new_(relaxation.fact_count), is_listed_(relaxation.operator_count()) {}

    // Node of a state in a search, and its parent; parent_state is null if it is not known.
    struct Place {
        StateId node, parent;  // kNoState if there is none
        const Word* parent_state;
    };

    // The sum of the landmarks' costs; kDeadEnd if the goal is unreachable.
    Cost sum(const Word* state, const Place& place) {
        if (place.node != kNoState && must_evaluate_parent(place)) sum(place.parent_state, place.parent, {});
        return sum(state, place.node, records_.of(place.parent));
    }

    std::uint64_t work() const { return cuts_.work(); }

private:
    // The sum of the landmarks' costs, given the record of the parent's landmarks, which is empty if there is none.
    Cost sum(const Word* state, StateId node, std::span<const std::uint32_t> record) {
        cuts_.restore_costs();
        record_.assign(state_words_, 0);
        const Cost known = node == kNoState ? 0 : charge_known(state, record);
        const Cost rest = cuts_.sum_of_rest(state, [&](std::span<const OperatorId> cut, Cost cost) { add(cut, cost); });
        if (rest == kDeadEnd) return kDeadEnd;
        if (node != kNoState) keep_record(state, node);
        return saturating_add(known, rest);
    }
    // Whether the parent's record was discarded and should be computed again. This saves time, because a parent has two
    // or more children on average.
    bool must_evaluate_parent(const Place& place) {
        ++children_;
        if (place.parent == last_parent_) return false;
        last_parent_ = place.parent;
        ++parents_;
        return place.parent_state != nullptr && children_ >= 2 * parents_ && records_.of(place.parent).empty();
    }
    // Charges those landmarks of the parent that the state has, too, and returns the sum of their costs. A record holds
    // the packed parent, then for each landmark its cost, the number of its operators, and the operators.
    Cost charge_known(const Word* state, std::span<const std::uint32_t> record) {
        if (record.size() <= state_words_) return 0;
        std::memcpy(parent_.data(), record.data(), parent_.size() * sizeof(Word));
        if (!find_connecting(parent_.data(), state)) return 0;
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
        for (auto op : connecting_) is_listed_[op] = 0;
        return sum;
    }
    // Finds the connecting operators: each alone, applied to the parent without its delete effects, adds all facts that
    // are new in the child. Returns false if parent and child may have no landmark in common.
    bool find_connecting(const Word* parent, const Word* child) {
        connecting_.clear();
        cuts_.reader().read(parent, before_);
        cuts_.reader().read(child, new_);
        for (auto fact : before_) is_before_[fact] = 1;
        std::erase_if(new_, [&](auto fact) { return is_before_[fact] != 0; });
        for (auto fact : new_) is_new_[fact] = 1;
        if (!new_.empty()) {
            for (auto op : cuts_.achievers(new_.front())) {
                if (is_connecting(op)) connecting_.push_back(op);
            }
        }
        for (auto fact : before_) is_before_[fact] = 0;
        for (auto fact : new_) is_new_[fact] = 0;
        for (auto op : connecting_) is_listed_[op] = 1;
        return new_.empty() || !connecting_.empty();
    }
    // Whether the operator is applicable in the parent and adds all new facts of the child. Derived facts count as
    // false in the parent, so the result is false for operators with derived preconditions.
    bool is_connecting(OperatorId op) const {
        const auto precondition = relaxation_.precondition[op], effect = relaxation_.effect[op];
        const auto added = std::ranges::count_if(effect, [&](auto fact) { return is_new_[fact] != 0; });
        return static_cast<std::size_t>(added) == new_.size() &&
               std::ranges::all_of(precondition, [&](auto fact) { return is_before_[fact] != 0; });
    }
    // Whether the cut is still a landmark of the child: the child has no new facts, or an operator outside the cut adds
    // all of its new facts and is applicable in the parent.
    bool is_kept(std::span<const OperatorId> cut) const {
        if (connecting_.empty()) return true;
        std::size_t blocked = 0;
        for (auto op : cut) blocked += is_listed_[op];
        return blocked < connecting_.size();
    }
    void add(std::span<const OperatorId> cut, Cost cost) {
        record_.push_back(static_cast<std::uint32_t>(cost));
        record_.push_back(static_cast<std::uint32_t>(cut.size()));
        record_.insert(record_.end(), cut.begin(), cut.end());
    }
    void keep_record(const Word* state, StateId node) {
        std::memcpy(record_.data(), state, parent_.size() * sizeof(Word));
        records_.set(node, record_);
    }

    const Relaxation& relaxation_;
    LandmarkCuts cuts_;
    std::size_t state_words_;  // number of state words at the start of a record
    RecentRecords records_;
    StateId last_parent_ = kNoState;
    std::size_t parents_ = 0, children_ = 0;
    std::vector<std::uint32_t> record_;  // record of the current state
    std::vector<Word> parent_;
    std::vector<std::uint32_t> before_, new_;  // facts of the parent; facts that are new in the child
    std::vector<std::uint8_t> is_before_, is_new_;
    std::vector<OperatorId> connecting_;
    std::vector<std::uint8_t> is_listed_;  // per operator: whether it is a connecting operator
};

}  // namespace fsplan
