// When and how nodes are evaluated. The Evaluator has the heuristic to itself; only depth-first passes, which have no nodes,
// call it directly.
//
// A new node gets its first values in one of three ways, which a search passes to SearchSpace::expand:
//   at_generation   the heuristic is computed at once (A*, Algorithm 1);
//   on_surfacing    the node inherits max(0, h(parent) - cost), which is admissible too, and awaits its evaluation until
//                   it surfaces in a queue: of the many nodes that never surface, none is evaluated;
//   cheaply         a cheap evaluation at generation, the expensive one on surfacing, where the heuristic has both (LM-cut
//                   has h_max); otherwise the same as at_generation.
//
// Besides h an evaluation may give a guide (an inadmissible estimate: the cost of a relaxed plan), the number of steps of
// that plan, and its applicable actions, the helpful ones. They cost more than h does, so a search declares which it reads:
//   none        h only;
//   on_demand   the guides of few nodes: of the node that is expanded and of its successors by helpful actions, which are
//               computed with h where this can be foreseen, and otherwise when they are asked for (first_choice.hpp);
//   all         those of every node.
#pragma once

#include <algorithm>
#include <new>
#include <span>
#include <vector>

#include "containers/array.hpp"
#include "heuristic.hpp"
#include "search/info.hpp"
#include "search/search_space.hpp"

namespace fsplan {

// Per node the place of a record: guide, steps, the number of helpful actions, and these. A node may borrow another's record.
class GuideRecords {
public:
    void add_unknown() { places_.push_back(kUnknown); }
    void add_borrowed(StateId other) { places_.push_back(places_[other] | kBorrowed); }
    void add(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        places_.push_back(store(evaluation, helpful));
    }
    void set(StateId id, const Evaluation& evaluation, std::span<const ActionId> helpful) {
        places_[id] = store(evaluation, helpful);
    }
    bool knows(StateId id) const { return places_[id] != kUnknown; }
    // The record is the node's own.
    bool owns(StateId id) const { return places_[id] < kBorrowed; }
    Cost guide(StateId id) const { return static_cast<Cost>(record(id)[0]); }
    Cost steps(StateId id) const { return static_cast<Cost>(record(id)[1]); }
    std::span<const ActionId> helpful(StateId id) const { return {record(id) + 3, record(id)[2]}; }
    std::size_t bytes() const { return places_.bytes() + records_.bytes(); }

private:
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
    static constexpr std::uint32_t kBorrowed = std::uint32_t{1} << 31;

    const std::uint32_t* record(StateId id) const { return records_.data() + (places_[id] & ~kBorrowed); }
    std::uint32_t store(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        if (records_.size() >= kBorrowed) throw std::bad_alloc();
        const auto place = static_cast<std::uint32_t>(records_.size());
        std::uint32_t* record = records_.extend(3 + helpful.size());
        record[0] = static_cast<std::uint32_t>(evaluation.guide);
        record[1] = static_cast<std::uint32_t>(evaluation.steps < 0 ? evaluation.guide : evaluation.steps);
        record[2] = static_cast<std::uint32_t>(helpful.size());
        std::copy(helpful.begin(), helpful.end(), record + 3);
        return place;
    }

    FlatArray<std::uint32_t> places_;
    FlatArray<std::uint32_t> records_;
};

template <Graph G, HeuristicFor<G> H>
class Evaluator {
public:
    using State = typename G::State;

    Evaluator(H& heuristic, SearchSpace<G>& space, Watch& watch, GuideDemand demand)
        : heuristic_(heuristic), space_(space), watch_(watch), properties_(heuristic.properties()), demand_(demand),
          guide_wanted_(demand != GuideDemand::none) {
        if constexpr (requires { heuristic_.work(); }) work_before_ = heuristic_.work();
        heuristic_.want_guide(guide_wanted_);
    }

    H& heuristic() { return heuristic_; }
    bool admissible() const { return properties_.admissible; }
    // A node whose h is no dead end has a guide that is none.
    bool finds_dead_ends() const { return properties_.finds_dead_ends; }
    GuideDemand demand() const { return demand_; }
    std::size_t bytes() const { return records_.bytes(); }
    // Of the heuristic; one that does not count its work takes no longer than a state does to be generated.
    std::uint64_t work() const {
        if constexpr (requires { heuristic_.work(); }) return heuristic_.work() - work_before_;
        return kWorkOfState * space_.statistics().evaluated;
    }

    // Registers the start and evaluates it.
    StateId add_start() {
        announce(0, kNoState);
        return space_.add_start([&](const State& start) { return evaluated_node(heuristic_.evaluate(start)); });
    }

    // The three ways, for SearchSpace::expand; to be asked for anew for every expansion.
    auto at_generation() {
        helpful_of_parent_known_ = false;
        return [this](const Generated<State>& child) __attribute__((always_inline)) { return evaluated_child(child); };
    }
    auto on_surfacing() {
        return [this](const Generated<State>& child) { return inheriting_child(child); };
    }
    auto cheaply() {
        helpful_of_parent_known_ = false;
        return [this](const Generated<State>& child) { return cheap_child(child); };
    }

    // The node has surfaced: its h may rise, or it may turn out to be a dead end. Its guide may be known already.
    void evaluate(StateId id) {
        space_[id].set_evaluated();
        const bool guided = demand_ != GuideDemand::none && !records_.owns(id);
        want_guide(guided);
        announce(id);
        const Evaluation evaluation = heuristic_.evaluate(space_.hold(id));
        if (guided) records_.set(id, evaluation, heuristic_.helpful());
        want_guide(demand_ != GuideDemand::none);
        revise(id, evaluation);
    }
    // The guide and the helpful actions, and the h that comes with them at no extra cost.
    void evaluate_cheaply(StateId id) {
        if (!has_cheap_evaluation()) space_[id].set_evaluated();
        revise(id, find_guide(id));
    }

    // Of a state that has no node.
    Cost h_without_node(const State& state) {
        ++statistics().evaluated;
        announce(kNoState, kNoState);
        return heuristic_.evaluate(state).h;
    }
    // From now on only h is asked for.
    void forget_guides() {
        records_ = {};
        demand_ = GuideDemand::none;
        want_guide(false);
    }

    bool knows_guide(StateId id) const { return records_.knows(id); }
    Cost guide(StateId id) { return records_of(id).guide(id); }
    Cost steps(StateId id) { return records_of(id).steps(id); }
    // Valid until the guide, the steps or the helpful actions of another node are asked for.
    std::span<const ActionId> helpful(StateId id) { return records_of(id).helpful(id); }

private:
    Statistics& statistics() { return space_.statistics(); }

    [[gnu::always_inline]] Node evaluated_child(const Generated<State>& child) {
        watch_.tick(statistics());
        if (demand_ == GuideDemand::on_demand) want_guide_after(child.parent, child.action);
        const Cost parent_h = space_[child.parent].h();
        announce(static_cast<StateId>(space_.size()), child.parent);
        return evaluated_node(heuristic_.evaluate_child(child.parent_state, parent_h, child.action, child.state));
    }
    [[gnu::always_inline]] Node evaluated_node(const Evaluation& evaluation) {
        const Node node = counted(Node(evaluation.h));
        if (guide_wanted_) records_.add(evaluation, heuristic_.helpful());
        else if (demand_ == GuideDemand::on_demand) records_.add_unknown();
        return node;
    }
    Node inheriting_child(const Generated<State>& child) {
        if (demand_ == GuideDemand::all) records_.add_borrowed(child.parent);
        else if (demand_ == GuideDemand::on_demand) records_.add_unknown();
        return Node(inherited_h(child), true);
    }
    Node cheap_child(const Generated<State>& child) {
        if (!has_cheap_evaluation()) return evaluated_child(child);
        watch_.tick(statistics());
        announce(static_cast<StateId>(space_.size()), child.parent);
        const Evaluation evaluation = cheap_evaluation(child.state);
        records_.add(evaluation, heuristic_.helpful());
        return counted(Node(std::max(inherited_h(child), evaluation.h), true));
    }
    Cost inherited_h(const Generated<State>& child) const { return std::max(0, space_[child.parent].h() - child.cost); }
    [[gnu::always_inline]] Node counted(Node node) {
        ++statistics().evaluated;
        if (node.h() == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics().dead_ends;
        }
        return node;
    }
    void revise(StateId id, const Evaluation& evaluation) {
        watch_.tick(statistics());
        ++statistics().evaluated;
        Node& node = space_[id];
        if (evaluation.h == kDeadEnd) {
            node.become(NodeStatus::dead);
            ++statistics().dead_ends;
        } else {
            node.set_h(std::max(node.h(), evaluation.h));
            if (node.g != kDeadEnd && space_.is_out_of_range(std::int64_t{node.g} + node.h())) node.forget_path();
        }
    }

    const GuideRecords& records_of(StateId id) {
        if (!records_.knows(id)) {
            want_guide(true);
            // A new successor that awaits its evaluation can still take a better h; later, queues rely on the one it has.
            const bool revisable = space_[id].awaits_evaluation() && space_[id].status() == NodeStatus::unreached;
            revisable ? evaluate_cheaply(id) : void(find_guide(id));
        }
        return records_;
    }
    Evaluation find_guide(StateId id) {
        announce(id);
        const Evaluation evaluation = cheap_evaluation(space_.hold(id));
        records_.set(id, evaluation, heuristic_.helpful());
        return evaluation;
    }
    void announce(StateId id) { announce(id, space_[id].has_parent() ? space_[id].parent() : kNoState); }
    void announce(StateId id, StateId parent) {
        if constexpr (PathHeuristic<H>) heuristic_.set_node(id, parent);
    }
    bool has_cheap_evaluation() const {
        if constexpr (CheapHeuristicFor<H, G>) return heuristic_.has_cheap_evaluation();
        return false;
    }
    Evaluation cheap_evaluation(const State& state) {
        if constexpr (CheapHeuristicFor<H, G>) {
            if (has_cheap_evaluation()) return heuristic_.evaluate_cheaply(state);
        }
        return heuristic_.evaluate(state);
    }
    // On demand: a successor by a helpful action will be asked for its guide, the others seldom.
    void want_guide_after(StateId parent, ActionId action) {
        if (!helpful_of_parent_known_) copy_helpful(parent);
        want_guide(std::binary_search(helpful_of_parent_.begin(), helpful_of_parent_.end(), action));
    }
    void copy_helpful(StateId parent) {
        const auto helpful = this->helpful(parent);
        helpful_of_parent_.assign(helpful.begin(), helpful.end());
        helpful_of_parent_known_ = true;
    }
    void want_guide(bool on) {
        if (guide_wanted_ != on) heuristic_.want_guide(on);
        guide_wanted_ = on;
    }

    H& heuristic_;
    SearchSpace<G>& space_;
    Watch& watch_;
    HeuristicProperties properties_;
    std::uint64_t work_before_ = 0;  // what earlier searches have asked of the heuristic
    GuideDemand demand_;
    bool guide_wanted_;
    GuideRecords records_;
    std::vector<ActionId> helpful_of_parent_;  // on demand: of the node being expanded, once it has a new successor
    bool helpful_of_parent_known_ = false;
};

}  // namespace fsplan
