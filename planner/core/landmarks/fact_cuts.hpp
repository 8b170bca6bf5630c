// Cuts of facts that prove landmarks, in the form that the proof checker verifies.
//
// If the goal is unreachable without the actions of a landmark, the unreached facts are a cut: one of them has to become
// true, and only an action of the landmark can make the first one true. of() finds a subset of them that is a cut, too:
// it contains a fact that the goal needs and, for every achiever of a fact of the cut that is not in the landmark, an
// unreached precondition of this achiever.
#pragma once

#include "relaxation/relaxation.hpp"

namespace fsplan {

class FactCuts {
public:
    // The relaxation must outlive the object. A relaxation with pairs (bounds/pair_relaxation.hpp) has helper facts "the
    // operator has been applied", which are numbered like the operators, from `first_applied` to `end_applied` − 1.
    FactCuts(const Relaxation& relaxation, std::size_t action_count, std::size_t first_applied = 0,
             std::size_t end_applied = 0)
        : relaxation_(relaxation), achievers_(transpose(relaxation.effect, relaxation.fact_count)),
          first_applied_(first_applied), end_applied_(end_applied), banned_(action_count),
          chosen_(relaxation.fact_count) {}

    // The facts of a cut, as facts of the relaxation; empty if the goal is reachable from `start` without the actions.
    const std::vector<std::uint32_t>& of(std::span<const ActionId> landmark, std::span<const std::uint32_t> start,
                                         Budget& watch = unlimited()) {
        for (const auto fact : cut_) chosen_[fact] = 0;
        cut_.clear();
        std::ranges::fill(banned_, 0);
        for (const auto action : landmark) banned_[action] = 1;
        if (reaches_goal(start, watch)) return cut_;
        need(relaxation_.goal());
        for (std::size_t next = 0; next < cut_.size(); ++next) {
            watch.tick();
            for (const auto op : achievers_[cut_[next]])
                if (!is_banned(op)) need(op);
        }
        return cut_;
    }

private:
    bool reaches_goal(std::span<const std::uint32_t> start, Budget& watch) {
        missing_ = relaxation_.precondition_count;
        reached_.assign(relaxation_.fact_count, 0);
        queue_.clear();
        reach(start);
        for (const auto op : relaxation_.unconditional) apply(op);
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            watch.tick();
            for (const auto op : relaxation_.needed_by[queue_[next]])
                if (--missing_[op] == 0) apply(op);
        }
        return missing_[relaxation_.goal()] == 0;
    }
    void reach(std::span<const std::uint32_t> facts) {
        for (const auto fact : facts)
            if (!std::exchange(reached_[fact], 1)) queue_.push_back(fact);
    }
    void apply(OperatorId op) {
        if (!is_banned(op)) reach(relaxation_.effect[op]);
    }
    bool is_banned(OperatorId op) const {
        return relaxation_.action[op] != kNoAction && banned_[relaxation_.action[op]] != 0;
    }
    // Chooses an unreached precondition of the operator, unless one is chosen already. The helper fact "operator o has
    // been applied" is no fact of the task, so a precondition of o is chosen instead.
    void need(OperatorId op) {
        std::optional<std::uint32_t> found;
        for (const auto fact : relaxation_.precondition[op]) {
            if (is_provided(fact)) return;
            if (!reached_[fact] && (!found || is_applied(*found))) found = fact;
        }
        if (is_applied(*found)) return need(operator_of(*found));
        chosen_[*found] = 1;
        cut_.push_back(*found);
    }
    bool is_provided(std::uint32_t fact) const {
        if (!is_applied(fact)) return chosen_[fact] != 0;
        return std::ranges::any_of(relaxation_.precondition[operator_of(fact)],
                                   [&](auto needed) { return chosen_[needed] != 0; });
    }
    bool is_applied(std::uint32_t fact) const { return fact >= first_applied_ && fact < end_applied_; }
    OperatorId operator_of(std::uint32_t fact) const { return static_cast<OperatorId>(fact - first_applied_); }

    const Relaxation& relaxation_;
    Rows achievers_;  // fact -> operators
    std::size_t first_applied_, end_applied_;
    std::vector<std::uint8_t> banned_;  // per action
    std::vector<std::uint8_t> reached_, chosen_;
    std::vector<std::uint32_t> missing_, queue_, cut_;
};

}  // namespace fsplan
