// Heuristics of ground tasks.
//
// A heuristic is a class derived from GroundHeuristic (most derive from GuidedHeuristic, which adds the relaxed plan's
// cost and its helpful actions) and a GroundHeuristicEntry, its declaration and constructor, in the heuristic's own
// .cpp. The entries are listed once, in FSPLAN_GROUND_HEURISTICS: to add a heuristic, write its file and add its line
// there.
#pragma once

#include "base/budget.hpp"
#include "contract/heuristic.hpp"
#include "task/layout.hpp"

namespace fsplan {

class GroundHeuristic {
public:
    virtual ~GroundHeuristic() = default;
    HeuristicProperties properties() const { return properties_; }
    virtual Evaluation evaluate(const Word* state) = 0;
    Evaluation evaluate_child(const Word* parent, Cost, ActionId, const Word* child) {
        parent_state_ = parent;
        const Evaluation evaluation = evaluate(child);
        parent_state_ = nullptr;
        return evaluation;
    }
    // Helpful actions of the state that was evaluated last: the applicable actions of its relaxed plan, in ascending
    // order. Defined only if a guide was requested.
    virtual std::span<const ActionId> helpful() = 0;
    virtual void want_guide(bool on) = 0;
    // Whether evaluate_cheaply returns the same guide as evaluate with a weaker h that is cheaper to compute.
    virtual bool has_cheap_evaluation() const { return false; }
    virtual Evaluation evaluate_cheaply(const Word* state) { return evaluate(state); }
    // Work of the preparation and of all evaluations so far. A unit is three to ten nanoseconds, the time in which an
    // exploration of the relaxation visits one precondition of an operator.
    std::uint64_t work() const { return work_; }
    // Sets the node and the parent node of the state to be evaluated next, which path-dependent heuristics read.
    void set_node(StateId node, StateId parent) {
        node_ = node;
        parent_ = parent;
    }

protected:
    // Both are kNoState if the state is evaluated outside a search; parent() is kNoState for the initial state, too.
    StateId node() const { return node_; }
    StateId parent() const { return parent_; }
    // Packed parent state; null unless evaluate_child() is being called.
    const Word* parent_state() const { return parent_state_; }

    void set_properties(HeuristicProperties properties) { properties_ = properties; }
    void add_work(std::uint64_t work) { work_ += work; }

private:
    friend std::unique_ptr<GroundHeuristic> make_ground_heuristic(const std::string& name,
                                                                  const struct HeuristicInput& input);
    HeuristicProperties properties_{};
    std::uint64_t work_ = 0;
    StateId node_ = kNoState;
    StateId parent_ = kNoState;
    const Word* parent_state_ = nullptr;
};

// Arguments of a heuristic's constructor. Task and layout outlive the heuristic; long constructors tick the watch.
struct HeuristicInput {
    const GroundTask& task;
    const Layout& layout;
    Budget& watch;
};

struct GroundHeuristicEntry {
    HeuristicInfo info;
    std::unique_ptr<GroundHeuristic> (*make)(const HeuristicInput& input);
};

// GroundHeuristicEntry::make for a heuristic whose constructor takes a HeuristicInput.
template <class Heuristic>
std::unique_ptr<GroundHeuristic> make_from_input(const HeuristicInput& input) {
    return std::make_unique<Heuristic>(input);
}

// The list of heuristics. An entry `name` refers to the object `name_heuristic` in the heuristic's own file; the first
// is the default.
// clang-format off: one entry per line
#define FSPLAN_GROUND_HEURISTICS(entry) \
    entry(hmax)                         \
    entry(lmcut)                        \
    entry(auto)                         \
    entry(scp)                          \
    entry(potential)                    \
    entry(blind)                        \
    entry(goalcount)                    \
    entry(hadd)                         \
    entry(hff)                          \
    entry(lmcount)                      \
    entry(lmcost)                       \
    entry(progress)
// clang-format on

#define FSPLAN_DECLARE(name) extern const GroundHeuristicEntry name##_heuristic;
FSPLAN_GROUND_HEURISTICS(FSPLAN_DECLARE)
#undef FSPLAN_DECLARE

// Properties of all heuristics of ground tasks, and of those that support the features of a task.
std::vector<const HeuristicInfo*> ground_heuristics();
std::vector<const HeuristicInfo*> ground_heuristics_for(const GroundTask& task);

// The heuristic of this name; the default if the name is empty. Throws std::invalid_argument with the supported names
// if the name is unknown or the heuristic does not support the task.
std::unique_ptr<GroundHeuristic> make_ground_heuristic(const std::string& name, const HeuristicInput& input);

}  // namespace fsplan
