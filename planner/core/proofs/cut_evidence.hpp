// Evidence for lower bounds that can be checked independently.
// A cut for a state is a set N of facts. None of them holds in the state, and the goal needs at least one of them. An
// action crosses the cut if it can make a fact of N true while it needs no fact of N itself. Every plan from the state
// contains such an action: the first one after which a fact of N holds. So a plan pays, for every cut, a share of the
// cost of an action that crosses it; and if no action is charged more than it costs, the shares add up to a lower
// bound.
//
// The cuts and shares are those of LM-cut (landmarks/landmark_cuts.hpp), whose sum is at least h_max. A cut depends on
// the state only by the condition that none of its facts holds. So evidence found for one state also bounds other
// states, by the sum of the shares of those cuts none of whose facts hold there.
//
// Derived variables: facts of N may be derived. Their default values are assumed to be reachable, so they are never in N.
#pragma once

#include "landmarks/fact_cuts.hpp"
#include "landmarks/landmark_cuts.hpp"
#include "task/layout.hpp"
#include "task/task.hpp"

namespace fsplan {

struct CutShare {
    std::uint32_t cut;
    Cost share;  // kDeadEnd if no action crosses the cut, so that there is no plan
};
using Evidence = std::vector<CutShare>;

// Sorts the evidence by cut, and replaces several shares of one cut by their sum.
inline Evidence each_once(Evidence evidence) {
    std::ranges::sort(evidence, {}, &CutShare::cut);
    std::size_t kept = 0;
    for (const CutShare& each : evidence) {
        if (kept > 0 && evidence[kept - 1].cut == each.cut)
            evidence[kept - 1].share = saturating_add(evidence[kept - 1].share, each.share);
        else evidence[kept++] = each;
    }
    evidence.resize(kept);
    return evidence;
}

class CutEvidence {
public:
    // Task and layout must outlive the object.
    CutEvidence(const GroundTask& task, const Layout& layout, Budget& watch)
        : task_(task), layout_(layout), relaxation_(relax(task, Duplicates::merge, watch)),
          landmarks_(task, layout, relaxation_), fact_cuts_(relaxation_, task.action_count()),
          task_fact_(relaxation_.fact_count, static_cast<FactId>(task.fact_count())), holds_(task.fact_count()) {
        for (FactId fact = 0; fact < task.fact_count(); ++fact)
            if (relaxation_.fact_of[fact] != kIrrelevant) task_fact_[relaxation_.fact_of[fact]] = fact;
        for (std::size_t v = 0; v < task.variable_count(); ++v) {
            if (task.layer[v] < 0) continue;
            const auto fact = relaxation_.fact_of[task.first_fact[v] + static_cast<FactId>(task.initial[v])];
            if (fact != kIrrelevant) defaults_.push_back(fact);
        }
    }
    CutEvidence(const CutEvidence&) = delete;
    CutEvidence& operator=(const CutEvidence&) = delete;

    // Sets the state to which the following calls refer.
    void look_at(const Word* state) {
        state_ = state;
        for (const FactId fact : true_facts_) holds_[fact] = 0;
        true_facts_.clear();
        for (std::size_t v = 0; v < task_.variable_count(); ++v) {
            if (task_.layer[v] >= 0) continue;
            true_facts_.push_back(task_.first_fact[v] + static_cast<FactId>(layout_.field[v].get(state)));
            holds_[true_facts_.back()] = 1;
        }
    }
    Evidence find() {
        Evidence evidence;
        read_state();
        left_ = task_.cost;
        std::vector<ActionId> landmark;
        const Cost sum = landmarks_.sum(state_, [&](std::span<const OperatorId> cut, Cost) {
            landmark.clear();
            for (const OperatorId op : cut) landmark.push_back(relaxation_.action[op]);
            sort_unique(landmark);
            Cost share = kDeadEnd;
            for (const ActionId action : landmark) share = std::min(share, left_[action]);
            for (const ActionId action : landmark) left_[action] -= share;
            add_cut(landmark, share, evidence);
        });
        return sum == kDeadEnd ? find_dead_end() : each_once(std::move(evidence));
    }
    // Evidence that the state is a dead end; empty if no cut proves it. This is much faster than find().
    Evidence find_dead_end() {
        Evidence evidence;
        read_state();
        add_cut({}, kDeadEnd, evidence);
        return evidence;
    }
    // The facts of a cut that proves that every plan uses one of these actions; empty if there is no such cut.
    std::optional<std::vector<FactId>> cut_of(std::span<const ActionId> landmark) {
        read_state();
        Evidence evidence;
        add_cut(landmark, 1, evidence);
        if (evidence.empty()) return std::nullopt;
        return cuts_[evidence[0].cut];
    }
    Cost value(const Evidence& evidence) const {
        Cost sum = 0;
        for (const auto& [cut, share] : evidence) {
            if (holds_any(cuts_[cut])) continue;
            if (share == kDeadEnd) return kDeadEnd;
            sum = saturating_add(sum, share);
        }
        return sum;
    }

    const std::vector<std::vector<FactId>>& cuts() const { return cuts_; }
    // Facts of the state without derived variables.
    const std::vector<FactId>& true_facts() const { return true_facts_; }
    bool holds_any(const std::vector<FactId>& facts) const {
        return std::ranges::any_of(facts, [&](FactId fact) { return holds_[fact] != 0; });
    }

private:
    // Adds the cut that proves the landmark. There is none if the goal is reachable without its actions. This can
    // happen because read_state() takes the default values of derived variables as true.
    void add_cut(std::span<const ActionId> landmark, Cost share, Evidence& evidence) {
        const auto& cut = fact_cuts_.of(landmark, start_);
        if (!cut.empty()) evidence.push_back({number_of(cut), share});
    }
    void read_state() {
        landmarks_.reader().read(state_, start_);
        start_.insert(start_.end(), defaults_.begin(), defaults_.end());
    }
    // Returns the number of the cut, which is stored without the helper facts of the relaxation.
    std::uint32_t number_of(std::span<const std::uint32_t> cut) {
        std::vector<FactId> facts;
        for (const auto fact : cut)
            if (task_fact_[fact] < task_.fact_count()) facts.push_back(task_fact_[fact]);
        std::ranges::sort(facts);
        const auto [found, is_new] = numbers_.try_emplace(std::move(facts), static_cast<std::uint32_t>(cuts_.size()));
        if (is_new) cuts_.push_back(found->first);
        return found->second;
    }

    const GroundTask& task_;
    const Layout& layout_;
    Relaxation relaxation_;
    LandmarkCuts landmarks_;
    FactCuts fact_cuts_;
    std::vector<FactId> task_fact_;        // fact of the relaxation -> fact of the task, fact_count() for helper facts
    std::vector<std::uint32_t> defaults_;  // default facts of the derived variables, as facts of the relaxation

    const Word* state_ = nullptr;
    std::vector<std::uint8_t> holds_;  // fact of the task -> whether it holds in the state
    std::vector<FactId> true_facts_;
    std::vector<Cost> left_;            // action -> its cost minus the shares that it has been charged
    std::vector<std::uint32_t> start_;  // facts of the relaxation that hold in the state, and the defaults
    std::map<std::vector<FactId>, std::uint32_t> numbers_;
    std::vector<std::vector<FactId>> cuts_;
};

}  // namespace fsplan
