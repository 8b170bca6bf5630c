// Evidence for lower bounds that can be checked independently.
//
// A cut is a set N of facts, none of which holds in a state, at least one of which the goal needs. An action crosses
// the cut if it can make a fact of N true while it needs no fact of N itself. Every plan from the state contains such
// an action: the first one after which a fact of N holds. So a plan pays, for every cut, a share of the cost of an
// action that crosses it; and if no action is charged more than it costs, the shares add up to a lower bound.
//
// The cuts and shares are those of LM-cut (landmarks/landmark_cuts.hpp), whose sum is at least h_max. A cut does not
// depend on the state but for the condition that none of its facts holds. So evidence found for one state bounds
// others: it is worth the shares of those cuts none of whose facts hold there.
//
// Derived variables: facts of N may be derived. Their defaults are taken to be reachable, so they are never in N.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "landmarks/landmark_cuts.hpp"
#include "task/layout.hpp"
#include "task/task.hpp"

namespace fsplan {

struct CutShare {
    std::uint32_t cut;
    Cost share;  // kDeadEnd if no action crosses the cut, so that there is no plan
};
using Evidence = std::vector<CutShare>;

class CutEvidence {
public:
    // Task and layout must outlive the object.
    CutEvidence(const GroundTask& task, const Layout& layout, Budget& watch);
    CutEvidence(const CutEvidence&) = delete;
    CutEvidence& operator=(const CutEvidence&) = delete;

    // Sets the state of the following calls.
    void look_at(const Word* state);
    Evidence find();
    // Evidence that there is no plan, which is much faster to find; empty if cuts do not show it.
    Evidence find_dead_end();
    // The facts of the cut that shows that every plan uses one of these actions; empty if there is no such cut.
    std::optional<std::vector<FactId>> cut_of(std::span<const ActionId> landmark);
    Cost value(const Evidence& evidence) const;

    const std::vector<std::vector<FactId>>& cuts() const { return cuts_; }
    // Facts of the state without derived variables.
    const std::vector<FactId>& true_facts() const { return true_facts_; }
    bool holds_any(const std::vector<FactId>& facts) const {
        return std::ranges::any_of(facts, [&](FactId fact) { return holds_[fact] != 0; });
    }

private:
    void add_cut(std::span<const ActionId> landmark, Cost share, Evidence& evidence);
    void read_state();
    bool reaches_goal();
    void reach(std::uint32_t fact);
    void apply(OperatorId op);
    void collect_needed();
    void need(OperatorId op);
    bool is_banned(OperatorId op) const {
        return relaxation_.action[op] != kNoAction && banned_[relaxation_.action[op]] != 0;
    }
    std::uint32_t number_of_cut();

    const GroundTask& task_;
    const Layout& layout_;
    Relaxation relaxation_;
    LandmarkCuts landmarks_;
    FactReader reader_;
    Rows achievers_;                       // fact of the relaxation -> operators
    std::vector<FactId> task_fact_;        // of the relaxation's facts; fact_count() of the task for helpers
    std::vector<std::uint32_t> defaults_;  // of derived variables

    const Word* state_ = nullptr;
    std::vector<std::uint8_t> holds_;  // fact of the task -> whether it holds in the state
    std::vector<FactId> true_facts_;
    std::vector<Cost> left_;  // action -> remaining cost after the shares so far
    std::vector<std::uint8_t> banned_, reached_, needed_;
    std::vector<std::uint32_t> missing_, queue_, start_, cut_;
    std::map<std::vector<FactId>, std::uint32_t> numbers_;
    std::vector<std::vector<FactId>> cuts_;
};

}  // namespace fsplan
