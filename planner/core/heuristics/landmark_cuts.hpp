// The landmarks of LM-cut: disjunctive action landmarks, and the sum of their costs.
//
// While h_max(goal) > 0: every operator points back to its supporter, the precondition of highest h_max. The goal zone
// is the facts from which supporters lead to the goal over operators that cost nothing. The operators that enter the
// zone from facts reachable outside it are a landmark: every plan uses one. Its cheapest cost is added to the estimate
// and taken off every operator of it, and h_max is repaired.
//
// Facts of the zone have h_max >= h_max(goal). So a fact below h_max(goal) is reachable outside the zone, by the cheapest
// way to it, and the cut is found backwards from the goal; only for a supporter at or above h_max(goal) is it necessary
// to look for a way, depth first, until one is found. The forward pass over all reachable facts that finding the cut
// usually takes is not needed. Most of the time goes into the repair, where most operators get another supporter and lower
// nothing, so this case is the one that the data is laid out for.
//
// Where landmarks are known already and their costs charged, little is left to be found, and h_max is computed only below
// h_max(goal): the exploration ends with the goal, the repair of facts at its h_max. Of any other fact and operator it is
// known that h_max is at least h_max(goal), and that suffices: let k be the lesser of h_max and h_max(goal). Every operator
// still points back to a precondition of highest k, so k does not rise along an operator that costs nothing, no fact of the
// state is in the zone, and the cut is a landmark as before. Only the choice among supporters at or above h_max(goal)
// differs. Without known landmarks h_max is exact everywhere.
//
// Operators of one action (conditional effects) share its cost: a landmark takes it off all of them, as a plan pays the
// action once for all its effects. Rules and defaults cost nothing. So conditional effects and derived variables keep
// the estimate admissible.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "heuristics/batch_queues.hpp"
#include "heuristics/fact_queues.hpp"
#include "heuristics/fact_reader.hpp"
#include "heuristics/relaxation.hpp"

namespace fsplan {

class LandmarkCuts {
public:
    // Task, layout and relaxation must outlive this.
    LandmarkCuts(const GroundTask& task, const Layout& layout, const Relaxation& relaxation);
    // The costs of the relaxation's operators have changed.
    void read_costs();

    // The sum of the landmarks' costs, kDeadEnd where the goal is unreachable. report(cut, cost) is called for every
    // landmark with the operators that enter the goal zone: the actions of these are a landmark under any costs.
    template <class Report>
    Cost sum(const Word* state, Report&& report) {
        restore_costs();
        return sum_of_rest(state, report);
    }

    // The same in parts, where landmarks of the state are known already: their costs are charged first.
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

    // What everything so far has taken, in operators looked at.
    std::uint64_t work() const { return work_; }
    // The operators with that effect.
    std::span<const OperatorId> achievers(std::uint32_t fact) const { return achievers_[fact]; }
    const FactReader& reader() const { return reader_; }

private:
    static constexpr std::uint32_t kNoFact = 0xFFFFFFFF;
    // Supports an operator whose effects are all at 0: it enters no zone, and nobody asks for its supporter.
    static constexpr std::uint32_t kUseless = 0xFFFFFFFE;
    struct Operator {
        std::uint32_t supporter;  // kNoFact if the operator has not been reached
        Cost h;                   // the supporter's h_max; kDeadEnd if the operator has not been reached
        Cost cost;                // what is left of it
        std::uint32_t missing;    // preconditions not yet reached

        // Whether its effects are due before that; the sum of two costs needs no sign bit.
        bool due_before(Cost limit) const {
            return static_cast<std::uint32_t>(h) + static_cast<std::uint32_t>(cost) < static_cast<std::uint32_t>(limit);
        }
    };

    // The facts of an operator, for the repair: the first ones in place, without loops. Places left over name a fact that
    // is always at 0, which changes nothing. more: the number of the rows with the facts that have no place, or 0.
    struct Shape {
        std::array<std::uint32_t, 4> precondition;
        std::array<std::uint32_t, 3> effect;
        std::uint32_t more;
    };

    static constexpr std::uint32_t kNoWay = 0xFFFFFFFF;
    struct Way {
        std::uint32_t to;      // a fact
        std::uint32_t before;  // the way before it from the same fact
    };

    struct Look {
        std::uint32_t fact;
        std::uint32_t next;  // of its achievers
    };

    Cost goal_h() const { return operators_[relaxation_.goal()].h; }
    // h_max is wanted below this. At 0 the goal has no further cut, and nobody asks for the rest.
    Cost ceiling() const { return !costs_restored_ || goal_h() == 0 ? goal_h() : kDeadEnd; }
    // h_max of the facts, and of the goal; kDeadEnd where it is unreachable.
    Cost explore(const Word* state);
    template <class Queue>
    Cost explore(Queue& queue, const Word* state);
    // The operator's effects not yet reached are reached at this cost.
    void bring(OperatorId op, Cost key);
    void find_cut(Cost goal_h);
    // False: the operator is unreachable.
    bool has_supporter(OperatorId op) { return operators_[op].supporter != kNoFact || choose_unreached(op); }
    bool choose_unreached(OperatorId op);
    std::uint32_t keep_zone_small(OperatorId op);
    void enter_zone(std::uint32_t fact);
    // Leaves of the cut the operators whose supporter is reachable outside the zone.
    void keep_reachable(Cost goal_h);
    bool is_reachable(std::uint32_t fact, Cost goal_h);
    void look_at(std::uint32_t fact);
    void reach(std::uint32_t fact);
    // Adds to the cut the other operators of its actions.
    void add_shared();
    Cost cheapest_of_cut() const;
    // Takes the cost off all actions of the cut.
    void charge_cut(Cost cost);
    void repair();
    template <class Queue>
    void repair(Queue& queue);
    template <class Queue>
    void lower_effects(OperatorId op, Queue& queue);
    template <class Queue>
    void update_supported(std::uint32_t fact, Cost cost, Cost limit, Queue& queue);
    void add_shapes();
    std::uint32_t nothing() const { return static_cast<std::uint32_t>(relaxation_.fact_count); }

    const Relaxation& relaxation_;
    FactReader reader_;
    BatchQueues queues_;
    FactBuckets buckets_;
    FactHeap heap_;
    std::vector<Shape> shapes_;                 // per operator
    Rows more_preconditions_, more_effects_;
    Rows achievers_;                            // fact -> operators with that effect
    Rows shared_;                               // action -> its operators if there are several

    std::vector<std::uint32_t> free_from_the_start_;  // fact -> operators of cost 0 that achieve it

    std::vector<std::uint32_t> free_achievers_;  // the same by what is left of the costs
    std::vector<Operator> untouched_;           // before an exploration
    std::vector<Operator> operators_;
    bool costs_restored_ = false;               // and none charged since
    std::vector<Cost> h_;                       // fact -> h_max; one more, always 0, supports what needs nothing
    Cost highest_h_ = 0;
    std::vector<std::uint32_t> fresh_;
    std::vector<OperatorId> batch_;

    std::uint64_t work_ = 0;
    std::uint32_t cut_number_ = 0;              // stamps the marks of the current cut
    std::vector<std::uint32_t> in_zone_;        // fact -> number of the last cut whose zone held it
    std::vector<std::uint32_t> looked_at_;      // fact -> number of the last cut for which a way to it was sought
    std::vector<std::uint32_t> reached_;        // fact -> number of the last cut for which one was found
    std::vector<Way> way_;
    std::vector<std::uint32_t> last_way_;       // fact -> the last way from it
    std::vector<std::uint32_t> enters_zone_;    // operator -> number of the last cut it was a candidate for
    std::vector<std::uint32_t> zone_, found_;
    std::vector<Look> looks_;                   // facts on the way back from the one asked for
    std::vector<OperatorId> cut_;
};

}  // namespace fsplan
