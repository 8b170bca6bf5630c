// Disjunctive action landmarks of the initial state. Every plan uses at least one action of each landmark.
//
// Landmarks do not depend on action costs. So LM-cut under other costs than the task's finds further landmarks, and
// a linear program over operator counts uses all of them at once.
//
// Every landmark is minimised. Initially the actions outside the landmark are allowed. Then each action of the landmark
// is tried: if the goal is still unreachable in the delete relaxation when it is allowed, too, it is removed from the
// landmark. Starting with no allowed actions, the same procedure finds a landmark among the actions that are tried
// last. If actions are tried in the order of their counts in a solution of the linear program, and the actions of the
// solution do not reach the goal, the landmark is violated by the solution (the separation step of the minimum hitting
// set problem for h+).
#pragma once

#include "base/budget.hpp"
#include "bounds/linear_rows.hpp"
#include "bounds/pair_relaxation.hpp"
#include "landmarks/fact_cuts.hpp"
#include "landmarks/landmark_cuts.hpp"
#include "task/task.hpp"

namespace fsplan {

// Relaxed reachability of the goal while actions are allowed one after the other.
//
// The set of reached facts only grows. If an action was rejected because its only new fact makes the goal reachable,
// that fact always will, so later actions that add it are rejected without an exploration. This is not done for actions
// with conditional effects, which may have more effects once more facts are reached.
class AllowedActions {
public:
    AllowedActions(const Relaxation& relaxation, std::size_t action_count);

    // Explores from the facts `start` without actions, only with the rules and defaults of derived variables. Returns
    // false if these alone reach the goal.
    bool begin(std::span<const std::uint32_t> start, Budget& watch);
    // Allows the action unless this makes the goal reachable; returns whether it was allowed.
    bool try_to_allow(ActionId action, Budget& watch);
    // Number of operators visited.
    std::uint64_t work() const { return work_; }

private:
    void run(std::span<const OperatorId> operators);
    bool reaches_goal(Budget& watch);
    void apply(OperatorId op);
    void undo(std::size_t applied);
    bool may_run(OperatorId op) const {
        return missing_[op] == 0 && (relaxation_.action[op] == kNoAction || allowed_[relaxation_.action[op]] != 0);
    }

    const Relaxation& relaxation_;
    Rows operators_;                      // action -> its operators in the relaxation
    std::vector<OperatorId> rules_;       // rules and defaults without preconditions
    std::vector<std::uint32_t> missing_;  // operator -> preconditions not yet reached
    std::vector<std::uint8_t> reached_, allowed_;
    std::vector<std::uint32_t> trail_;  // facts in the order in which they were reached
    std::size_t next_ = 0;              // index of the first fact of trail_ that is not yet subtracted from missing_
    std::vector<std::uint8_t> leads_to_goal_;  // fact -> whether the goal becomes reachable as soon as this fact is
    bool goal_is_near_ = false;                // whether a fact of leads_to_goal_ has been reached
    std::uint64_t work_ = 0;
};

class LandmarkFinder {
public:
    LandmarkFinder(const GroundTask& task, std::span<const std::int32_t> start, Budget& watch);
    LandmarkFinder(const LandmarkFinder&) = delete;
    LandmarkFinder& operator=(const LandmarkFinder&) = delete;

    // Adds LM-cut's landmarks under these costs, except known ones, and returns their sum; kDeadEnd if there is no
    // plan.
    Cost cuts(std::span<const Cost> costs, LinearRows& found, Budget& watch);
    // Tries the actions in this order, which contains every action once, and allows those that do not make the goal
    // reachable. The others form a landmark of actions late in the order; it is added unless it is known. If with_pairs
    // is true, reachability is tested in the relaxation that make_pairs() has built.
    void last_of(std::span<const ActionId> order, bool with_pairs, LinearRows& found, Budget& watch);
    // Builds the relaxation with pairs of facts and returns the number of pairs. If the task has derived variables or
    // too many facts, none is built and 0 is returned.
    std::size_t make_pairs(std::size_t most_terms, Budget& watch);
    // The cut in the relaxation with pairs that proves that the actions are a landmark (landmarks/fact_cuts.hpp), as sets
    // of one or two facts of the task; empty if there is no such cut.
    std::vector<std::vector<FactId>> pair_cut(std::span<const ActionId> landmark, Budget& watch);
    // Work of last_of() so far, in operators visited, plus the size of the relaxation with pairs.
    std::uint64_t work() const {
        return allowed_.work() + pairs_.relaxation.precondition.items.size() + (with_pairs_ ? with_pairs_->work() : 0);
    }

private:
    void minimise(std::vector<ActionId>& landmark, Budget& watch);
    void add(std::vector<ActionId> landmark, LinearRows& found);

    const GroundTask& task_;
    Layout layout_;
    Relaxation relaxation_;
    std::vector<Word> start_;
    std::vector<std::uint32_t> start_facts_;
    LandmarkCuts cuts_;
    AllowedActions allowed_;
    PairRelaxation pairs_;
    std::optional<AllowedActions> with_pairs_;
    std::optional<FactCuts> pair_cuts_;
    std::vector<std::uint8_t> is_member_;
    std::vector<std::vector<ActionId>> landmarks_;  // landmarks of the current call of cuts()
    std::set<std::vector<ActionId>> known_;
};

}  // namespace fsplan
