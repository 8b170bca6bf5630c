// Collects the operators of a relaxed plan backwards from the goal.
#pragma once

#include "relaxation/max_exploration.hpp"

namespace fsplan {

class Supporters {
public:
    // The relaxation must outlive the object.
    explicit Supporters(const Relaxation& relaxation) : relaxation_(relaxation), visited_(relaxation.fact_count) {}

    // Adds the operators of the plan. supporter_of(fact) is kNoOperator if holds(fact), that is, for facts of the
    // state.
    template <class SupporterOf, class Holds>
    void read(SupporterOf supporter_of, Holds holds, PlanSteps& plan) {
        begin();
        for (auto fact : relaxation_.precondition[relaxation_.goal()]) visit(fact);
        for (std::size_t next = 0; next < open_.size(); ++next) {
            const OperatorId op = supporter_of(open_[next]);
            if (op == kNoOperator) continue;
            bool ready = true;
            for (auto fact : relaxation_.precondition[op]) {
                visit(fact);
                ready = ready && holds(fact);
            }
            plan.add(relaxation_.action[op], relaxation_.cost[op], ready);
        }
    }

private:
    void begin() {
        open_.clear();
        if (++number_ != 0) return;
        std::fill(visited_.begin(), visited_.end(), 0);
        number_ = 1;
    }
    void visit(std::uint32_t fact) {
        if (std::exchange(visited_[fact], number_) != number_) open_.push_back(fact);
    }

    const Relaxation& relaxation_;
    std::uint32_t number_ = 0;            // number of the current plan
    std::vector<std::uint32_t> visited_;  // fact -> number of the last plan that needed it
    std::vector<std::uint32_t> open_;
};

}  // namespace fsplan
