// When and how nodes are evaluated. Only the Evaluator calls the heuristic, except for depth-first passes, which have
// no nodes. SearchedGraph (searched_graph.hpp) knows the heuristic's type and makes the calls.
//
// A new node gets its first values in one of three ways, which a search passes to SearchSpace::expand:
//   at_generation   the heuristic is computed at once (A*, Algorithm 1);
//   on_surfacing    lazy evaluation: the node inherits max(0, h(parent) - cost), which is admissible too, and is
//                   evaluated when it reaches the top of a queue; nodes that never do are not evaluated;
//   cheaply         a cheap evaluation at generation and the expensive one at the top of a queue, for heuristics that
//                   have both (h_max and LM-cut); for others the same as at_generation.
//
// Besides h an evaluation may give a guide (an inadmissible estimate: the cost of a relaxed plan), the number of steps
// of that plan, and its helpful actions. They cost more than h, so a search declares which of them it reads:
//   none        h only;
//   on_demand   the guides of the expanded node and of its successors by helpful actions; they are computed together
//               with h if possible, otherwise when they are read (first_choice.hpp);
//   all         the guides of all nodes.
#pragma once

#include "contract/heuristic.hpp"
#include "search/guide_records.hpp"
#include "search/info.hpp"
#include "search/search_space.hpp"

namespace fsplan {

class Evaluator {
public:
    Evaluator(SearchSpace& space, HeuristicProperties properties, GuideDemand demand)
        : demand_(demand), guide_wanted_(demand != GuideDemand::none), space_(space), properties_(properties) {}
    virtual ~Evaluator() = default;

    bool admissible() const { return properties_.admissible; }
    // Whether h recognises every dead end that the guide recognises.
    bool finds_dead_ends() const { return properties_.finds_dead_ends; }
    GuideDemand demand() const { return demand_; }
    std::size_t bytes_of_guides() const { return records_.bytes(); }
    // Work counted by heuristic and graph, including their construction. If the heuristic does not count its work, an
    // evaluation is taken to cost as much as the generation of a state.
    std::uint64_t work() const {
        return counts_work_ ? preparation_ + counted_work() : kWorkOfState * space_.statistics().evaluated;
    }

    // Registers and evaluates the initial state.
    virtual StateId add_start() = 0;

    // The three ways in which new nodes get their first values, to be passed to SearchSpace::expand. The object is valid
    // for one expansion.
    FirstValues at_generation() {
        helpful_of_parent_known_ = false;
        return FirstValues::at_generation;
    }
    FirstValues on_surfacing() { return FirstValues::on_surfacing; }
    FirstValues cheaply() {
        helpful_of_parent_known_ = false;
        return FirstValues::cheaply;
    }

    // Evaluates a node at the top of a queue: its h may rise or become kDeadEnd. Its guide may already be known.
    void evaluate(StateId id);
    // Computes the guide and the helpful actions, and the h-value that the same exploration gives.
    void evaluate_cheaply(StateId id);
    // Discards all guides; from now on only h is computed.
    void forget_guides();

    bool knows_guide(StateId id) const { return records_.knows(id); }
    Cost guide(StateId id) { return records_of(id).guide(id); }
    Cost steps(StateId id) { return records_of(id).steps(id); }
    // Valid until the guide, the steps or the helpful actions of another node are read.
    std::span<const ActionId> helpful(StateId id) { return records_of(id).helpful(id); }

protected:
    // Calls the heuristic for the state of a node.
    virtual Evaluation ask(StateId id) = 0;
    virtual Evaluation ask_cheaply(StateId id) = 0;
    virtual bool has_cheap_evaluation() const = 0;
    virtual std::span<const ActionId> helpful_of_last() = 0;
    virtual void tell_guide_wanted(bool on) = 0;
    virtual std::uint64_t counted_work() const = 0;

    // Makes work() return the work counted by heuristic and graph, plus `preparation` for their construction.
    void count_work(std::uint64_t preparation) {
        counts_work_ = true;
        preparation_ = preparation;
    }
    // For GuideDemand::on_demand: requests the guide together with h if the successor is reached by a helpful action.
    // The guides of other successors are seldom read.
    void want_guide_after(StateId parent, ActionId action);

    GuideDemand demand_;
    bool guide_wanted_;
    GuideRecords records_;

private:
    void revise(StateId id, const Evaluation& evaluation);
    GuideRecords& records_of(StateId id) {
        if (!records_.knows(id)) [[unlikely]]
            make_record(id);
        return records_;
    }
    void make_record(StateId id);
    Evaluation find_guide(StateId id);
    void want_guide(bool on) {
        if (guide_wanted_ != on) tell_guide_wanted(on);
        guide_wanted_ = on;
    }

    SearchSpace& space_;
    HeuristicProperties properties_;
    bool counts_work_ = false;
    std::uint64_t preparation_ = 0;  // work of constructing heuristic and graph
    // With on_demand: helpful actions of the node being expanded, set at its first new successor.
    std::vector<ActionId> helpful_of_parent_;
    bool helpful_of_parent_known_ = false;
};

}  // namespace fsplan
