// Disjunctive action landmarks of the start: sets of actions of which every plan uses one.
//
// A landmark is a landmark whatever actions cost. So LM-cut, run on other costs than the true ones, finds others, and a
// linear program over operator counts uses all of them at once.
//
// Every landmark is made minimal. The actions outside it are allowed; those of it are tried one after the other, and an
// action stays out of the landmark if the allowed ones with it still do not reach the goal in the delete relaxation.
// The same procedure, begun with no action allowed, finds a landmark of the actions that are tried last. Tried in the
// order of the linear program's solution, most used first, it finds a landmark that this solution does not satisfy,
// where the solution's actions do not reach the goal (the separation step of the minimum hitting sets for h+).
#pragma once

#include <set>
#include <span>
#include <vector>

#include "bounds/linear_rows.hpp"
#include "heuristics/landmark_cuts.hpp"
#include "task/task.hpp"
#include "work_watch.hpp"

namespace fsplan {

// Relaxed reachability of the goal while actions are allowed one after the other.
//
// What is reached only grows. So if an action is not allowed since the one new fact that it adds leads to the goal, that fact
// always will, and later actions that lead to it are refused at once. An action with conditional effects may have more effects
// later on, so of these nothing is remembered.
class AllowedActions {
public:
    AllowedActions(const Relaxation& relaxation, std::size_t action_count);

    // No actions, but rules and defaults. False if the goal holds.
    bool begin(std::span<const std::uint32_t> start, WorkWatch& watch);
    // Allows the action unless the goal then is reachable; whether it did.
    bool try_to_allow(ActionId action, WorkWatch& watch);
    // The number of operators looked at.
    std::uint64_t work() const { return work_; }

private:
    void run(std::span<const OperatorId> operators);
    bool reaches_goal(WorkWatch& watch);
    void apply(OperatorId op);
    void undo(std::size_t applied);
    bool may_run(OperatorId op) const {
        return missing_[op] == 0 && (relaxation_.action[op] == kNoAction || allowed_[relaxation_.action[op]] != 0);
    }

    const Relaxation& relaxation_;
    Rows operators_;                          // action -> its operators
    std::vector<OperatorId> rules_;           // operators of no action and without precondition
    std::vector<std::uint32_t> missing_;      // operator -> preconditions not yet reached
    std::vector<std::uint8_t> reached_, allowed_;
    std::vector<std::uint32_t> trail_;        // facts in the order in which they were reached
    std::size_t next_ = 0;                    // those before it have been counted off missing_
    std::vector<std::uint8_t> leads_to_goal_; // fact -> the goal is reachable with it
    bool goal_is_near_ = false;               // such a fact has been reached
    std::uint64_t work_ = 0;
};

class LandmarkFinder {
public:
    LandmarkFinder(const GroundTask& task, std::span<const std::int32_t> start, WorkWatch& watch);
    LandmarkFinder(const LandmarkFinder&) = delete;
    LandmarkFinder& operator=(const LandmarkFinder&) = delete;

    // LM-cut's sum under these costs, and its landmarks; those returned before are left out. kDeadEnd: no plan.
    Cost cuts(std::span<const Cost> costs, LinearRows& found, WorkWatch& watch);
    // One landmark, of the actions that come last in `order`, which names every action once; none if it is known.
    void last_of(std::span<const ActionId> order, LinearRows& found, WorkWatch& watch);
    // The number of operators looked at by last_of.
    std::uint64_t work() const { return allowed_.work(); }

private:
    void minimise(std::vector<ActionId>& landmark, WorkWatch& watch);
    void add(std::vector<ActionId> landmark, LinearRows& found);

    Layout layout_;
    Relaxation relaxation_;
    std::vector<Word> start_;
    std::vector<std::uint32_t> start_facts_;
    LandmarkCuts cuts_;
    AllowedActions allowed_;
    std::vector<std::uint8_t> is_member_;
    std::vector<std::vector<ActionId>> landmarks_;  // of the current cuts()
    std::set<std::vector<ActionId>> known_;
};

}  // namespace fsplan
