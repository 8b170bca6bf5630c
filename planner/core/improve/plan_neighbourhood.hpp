// The neighbourhood of a plan: the states that it visits, and states that are reachable from them in few steps.
// A cheapest path through the neighbourhood costs at most as much as the plan, which is one of its paths. Consider a
// greedy search that wandered across a plateau: its plan passes two states that are far apart along the plan, and one
// action apart in the state space. Leaving out steps does not find that action, and replanning a window of the plan
// finds it only if the window contains the whole detour. In the neighbourhood the two states are adjacent. This is the
// plan neighbourhood graph search of Nakhost and Müller (ICAPS 2010), with the neighbours taken in breadth-first order
// from all states of the plan at once.
#pragma once

#include "base/budget.hpp"
#include "improve/plan_structure.hpp"

namespace fsplan {

class PlanNeighbourhood {
public:
    // Structure and graph must outlive this object. The structure counts the work.
    PlanNeighbourhood(PlanStructure& structure, GroundGraph& graph, const ActionSequence& plan,
                      std::size_t max_expanded);

    // Expands further states, in the order in which they were found, those of the plan first, until about this much
    // work is done. Returns false once `max_expanded` states or all states are expanded.
    bool expand_for(std::uint64_t work, Budget& watch);
    // A cheapest path from the initial state to a goal state through the expanded states (Dijkstra's algorithm). If no
    // goal state is reached, because not all states of the plan were expanded, the plan itself is returned.
    ActionSequence cheapest_path(Budget& watch);
    std::size_t expanded() const { return first_edge_.size() - 1; }

private:
    struct PathEdge {
        StateId target;
        ActionId action;
        Cost cost;
    };

    bool may_expand() const;
    void expand_next();
    static ActionSequence path_to(StateId state, const std::vector<std::pair<StateId, ActionId>>& reached_by);

    PlanStructure& structure_;
    GroundGraph& graph_;
    ActionSequence plan_;
    std::size_t max_expanded_;
    GroundGraph::Store states_;
    std::vector<std::size_t> first_edge_{0};  // expanded state -> its first edge; one more entry for the end
    std::vector<PathEdge> edges_;
};

}  // namespace fsplan
