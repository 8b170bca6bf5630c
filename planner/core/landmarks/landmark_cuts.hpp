// The landmarks of LM-cut: disjunctive action landmarks, and the sum of their costs.
//
// The following is repeated while h_max(goal) > 0. Every operator has a supporter, its precondition of highest h_max.
// The goal zone consists of the facts from which the goal is reachable by operators of cost 0, if each operator is an
// edge from its supporter to its effects. The operators that enter the zone from facts reachable outside it (the cut)
// are a landmark: every plan uses one of them. The least cost in the cut is added to the estimate and subtracted from
// all operators of the cut, and h_max is repaired.
//
// Facts of the zone have h_max >= h_max(goal). So a fact with a lower h_max is reachable outside the zone, by its
// cheapest relaxed plan, and the cut can be found backwards from the goal. Only for a supporter with h_max >=
// h_max(goal) is a depth-first search for such a fact necessary. The usual forward pass over all reachable facts is not
// needed. Most of the time goes into the repair, in which most operators get another supporter and no effect becomes
// cheaper; the data layout is made for this case.
//
// If known landmarks were charged first, few cuts remain, and h_max is computed only below h_max(goal): the exploration
// ends when the goal is reached, and the repair ignores facts at or above h_max(goal). For all other facts and
// operators h_max >= h_max(goal) is known, and that suffices. Let k = min(h_max, h_max(goal)). Every operator still
// points to a precondition of highest k, so k does not increase along an operator of cost 0, no fact of the state is in
// the zone, and the cut is a landmark as before. Only the choice among supporters with h_max >= h_max(goal) differs.
// Without known landmarks h_max is exact everywhere.
//
// Operators of one action (conditional effects) share its cost: a landmark subtracts its cost from all of them, because
// a plan pays for the action once. Rules and defaults cost nothing. So the estimate is admissible with conditional
// effects and derived variables, too.
#pragma once

#include "relaxation/batch_queues.hpp"
#include "relaxation/fact_queues.hpp"
#include "relaxation/fact_reader.hpp"
#include "relaxation/relaxation.hpp"

namespace fsplan {

class LandmarkCuts {
public:
    // Task, layout and relaxation must outlive the object.
    LandmarkCuts(const GroundTask& task, const Layout& layout, const Relaxation& relaxation);
    // Must be called after the costs of the relaxation's operators have changed.
    void read_costs();

    // The sum of the landmarks' costs; kDeadEnd if the goal is unreachable. report(cut, cost) is called for every
    // landmark; `cut` are the operators that enter the goal zone, and their actions are a landmark under any costs.
    template <class Report>
    Cost sum(const Word* state, Report&& report) {
        restore_costs();
        return sum_of_rest(state, report);
    }

    // Alternative to sum() for states with known landmarks: call restore_costs(), then charge() for every known landmark,
    // then sum_of_rest() for the sum of the further landmarks.
    void restore_costs();
    void charge(std::span<const OperatorId> cut, Cost cost);
    template <class Report>
    Cost sum_of_rest(const Word* state, Report&& report) {
        if (explore(state) == kDeadEnd) return kDeadEnd;
        Cost sum = 0;
        while (goal_h() > 0) {
            find_cut(goal_h());
            const Cost cost = cheapest_of_cut();
            report(std::span<const OperatorId>(cut_), cost);
            sum = saturating_add(sum, cost);
            charge_cut(cost);
            repair();
        }
        return sum;
    }

    // Work so far, in operators visited.
    std::uint64_t work() const { return work_; }
    // The operators that add the fact.
    std::span<const OperatorId> achievers(std::uint32_t fact) const { return achievers_[fact]; }
    const FactReader& reader() const { return reader_; }

private:
    static constexpr std::uint32_t kNoFact = 0xFFFFFFFF;
    // Supporter of an operator whose effects all have h_max = 0: it enters no zone, so its supporter is never read.
    static constexpr std::uint32_t kUseless = 0xFFFFFFFE;
    struct Operator {
        std::uint32_t supporter;  // kNoFact if the operator has not been reached
        Cost h;                   // the supporter's h_max; kDeadEnd if the operator has not been reached
        Cost cost;                // remaining cost
        std::uint32_t unreached;  // number of preconditions not yet reached

        // Whether h + cost < limit. The sum is unsigned: two costs cannot overflow it.
        bool due_before(Cost limit) const {
            return static_cast<std::uint32_t>(h) + static_cast<std::uint32_t>(cost) < static_cast<std::uint32_t>(limit);
        }
    };

    // Preconditions and effects of an operator, as the repair of h_max reads them. The first ones are stored in place, so
    // that no loop is needed; unused places hold the dummy fact zero_fact(), whose h_max is always 0. `more` is the index
    // of the rows that hold the remaining facts, or 0.
    struct Shape {
        std::array<std::uint32_t, 4> precondition;
        std::array<std::uint32_t, 3> effect;
        std::uint32_t more;
    };

    static constexpr std::uint32_t kNoLink = 0xFFFFFFFF;
    struct Link {
        std::uint32_t to;        // a fact
        std::uint32_t previous;  // previous link from the same fact, or kNoLink
    };

    struct Visit {
        std::uint32_t fact;
        std::uint32_t next;  // index of the achiever to visit next
    };

    Cost goal_h() const { return operators_[relaxation_.goal()].h; }
    // Upper bound below which h_max is needed. Once h_max(goal) = 0 there are no further cuts, so no other value is
    // needed.
    Cost ceiling() const { return !costs_restored_ || goal_h() == 0 ? goal_h() : kDeadEnd; }
    // Computes h_max of the facts; returns h_max of the goal, kDeadEnd if it is unreachable.
    Cost explore(const Word* state);
    template <class Queue>
    Cost explore(Queue& queue, const Word* state);
    // Marks the unreached effects of the operator as reached at this cost.
    void reach_effects(OperatorId op, Cost key);
    void find_cut(Cost goal_h);
    // Makes sure that the operator has a supporter; false if the operator is unreachable.
    bool has_supporter(OperatorId op) { return operators_[op].supporter != kNoFact || choose_unreached(op); }
    bool choose_unreached(OperatorId op);
    std::uint32_t keep_zone_small(OperatorId op);
    void enter_zone(std::uint32_t fact);
    // Removes from the cut the operators whose supporter is not reachable outside the zone.
    void keep_reachable(Cost goal_h);
    bool is_reachable(std::uint32_t fact, Cost goal_h);
    void visit(std::uint32_t fact);
    void reach(std::uint32_t fact);
    // Adds to the cut all operators of actions of which it contains an operator.
    void add_shared();
    Cost cheapest_of_cut() const;
    // Subtracts the cost from all operators of the cut.
    void charge_cut(Cost cost);
    void repair();
    template <class Queue>
    void repair(Queue& queue);
    template <class Queue>
    void lower_effects(OperatorId op, Queue& queue);
    template <class Queue>
    void update_supported(std::uint32_t fact, Cost cost, Cost limit, Queue& queue);
    void add_shapes();
    std::uint32_t zero_fact() const { return static_cast<std::uint32_t>(relaxation_.fact_count); }

    const Relaxation& relaxation_;
    FactReader reader_;
    BatchQueues queues_;
    FactBuckets buckets_;
    FactHeap heap_;
    std::vector<Shape> shapes_;  // per operator
    Rows more_preconditions_, more_effects_;
    Rows achievers_;  // fact -> operators with that effect
    Rows shared_;     // action -> its operators, if it has several

    std::vector<std::uint32_t> free_from_the_start_;  // fact -> number of its achievers whose original cost is 0

    std::vector<std::uint32_t> free_achievers_;  // fact -> number of its achievers whose remaining cost is 0
    std::vector<Operator> untouched_;            // initial values for an exploration
    std::vector<Operator> operators_;
    bool costs_restored_ = false;  // no landmark was charged since restore_costs()
    std::vector<Cost> h_;          // fact -> h_max; zero_fact(), always 0, supports operators without preconditions
    Cost highest_h_ = 0;
    std::vector<std::uint32_t> newly_reached_;
    std::vector<OperatorId> batch_;

    std::uint64_t work_ = 0;
    std::uint32_t cut_number_ = 0;        // number of the current cut; marks with an older number are stale
    std::vector<std::uint32_t> in_zone_;  // fact -> number of the last cut whose zone contained it
    std::vector<std::uint32_t> visited_;  // fact -> number of the last cut for which is_reachable visited it
    std::vector<std::uint32_t> reached_;  // fact -> number of the last cut for which it was reachable outside the zone
    std::vector<Link> links_;
    std::vector<std::uint32_t> last_link_;    // fact -> head of the linked list of its links, or kNoLink
    std::vector<std::uint32_t> enters_zone_;  // operator -> number of the last cut it was a candidate for
    std::vector<std::uint32_t> zone_, found_;
    std::vector<Visit> stack_;  // facts that the depth-first search of is_reachable is visiting
    std::vector<OperatorId> cut_;
};

}  // namespace fsplan
