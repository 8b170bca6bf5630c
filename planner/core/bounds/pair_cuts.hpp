// Evidence for landmarks of the relaxation with pairs of facts, which the checker of proofs verifies.
//
// If the goal is unreachable without the actions of a landmark, the unreached facts and pairs are a cut: one of them
// has to become true, and only an action of the landmark can make the first one true. So is the subset that of() finds:
// a fact or pair that the goal needs and, for every achiever of a member that is not in the landmark, an unreached fact
// or pair that it needs.
#pragma once

#include "bounds/pair_relaxation.hpp"

namespace fsplan {

class PairCuts {
public:
    explicit PairCuts(const PairRelaxation& pairs)
        : pairs_(pairs), relaxation_(pairs.relaxation),
          achievers_(transpose(relaxation_.effect, relaxation_.fact_count)), chosen_(relaxation_.fact_count) {}

    // Sets of one or two facts of the task; empty if the goal is reachable without the actions.
    std::vector<std::vector<FactId>> of(std::span<const ActionId> landmark, Budget& watch) {
        banned_ = {landmark.begin(), landmark.end()};
        std::vector<std::vector<FactId>> sets;
        if (reaches_goal(watch)) return sets;
        cut_.clear();
        need(relaxation_.goal());
        for (std::size_t next = 0; next < cut_.size(); ++next) {
            watch.tick();
            for (const auto op : achievers_[cut_[next]])
                if (!is_banned(op)) need(op);
        }
        for (const auto fact : cut_) {
            chosen_[fact] = 0;
            sets.push_back(pairs_.facts_of(fact));
        }
        return sets;
    }

private:
    bool is_banned(OperatorId op) const { return banned_.contains(relaxation_.action[op]); }
    bool reaches_goal(Budget& watch) {
        std::vector<std::uint32_t> missing, queue;
        reached_.assign(relaxation_.fact_count, 0);
        const auto reach = [&](std::span<const std::uint32_t> facts) {
            for (const auto fact : facts)
                if (!std::exchange(reached_[fact], 1)) queue.push_back(fact);
        };
        for (OperatorId op = 0; op < relaxation_.operator_count(); ++op)
            missing.push_back(static_cast<std::uint32_t>(relaxation_.precondition[op].size()));
        reach(pairs_.start);
        for (const auto op : relaxation_.unconditional)
            if (!is_banned(op)) reach(relaxation_.effect[op]);
        for (std::size_t next = 0; next < queue.size(); ++next) {
            watch.tick();
            for (const auto op : relaxation_.needed_by[queue[next]])
                if (--missing[op] == 0 && !is_banned(op)) reach(relaxation_.effect[op]);
        }
        return missing[relaxation_.goal()] == 0;
    }
    // Chooses an unreached fact or pair that the operator needs, unless one is chosen already. That an operator has been
    // applied is no fact of the task: what is needed then is what that operator needs.
    void need(OperatorId op) {
        std::optional<std::uint32_t> found;
        for (const auto fact : relaxation_.precondition[op]) {
            if (chosen_[fact]) return;
            const auto other = pairs_.operator_of(fact);
            if (other && is_provided(*other)) return;
            if (!reached_[fact] && (!found || pairs_.operator_of(*found))) found = fact;
        }
        if (const auto other = pairs_.operator_of(*found)) return need(*other);
        chosen_[*found] = 1;
        cut_.push_back(*found);
    }
    bool is_provided(OperatorId op) const {
        return std::ranges::any_of(relaxation_.precondition[op], [&](auto fact) { return chosen_[fact] != 0; });
    }

    const PairRelaxation& pairs_;
    const Relaxation& relaxation_;
    Rows achievers_;  // fact -> operators
    std::set<ActionId> banned_;
    std::vector<std::uint8_t> reached_, chosen_;
    std::vector<std::uint32_t> cut_;
};

}  // namespace fsplan
