// The neighbourhood of a plan: the states that it visits, and states that are reachable from them in few steps.
//
// A cheapest path through it is at most as expensive as the plan, whose own path lies in it. Consider a greedy search
// that wandered across a plateau: its plan passes two states that are far apart along the plan, and one action apart in
// the state space. Leaving out steps does not find that action, and a window must hold the whole detour to find it;
// here the two states are neighbours. This is the plan neighbourhood graph search of Nakhost and Müller (ICAPS 2010),
// with the neighbours taken in breadth-first order from all states of the plan at once.
#pragma once

#include "base/budget.hpp"
#include "improve/plan_structure.hpp"

namespace fsplan {

struct PathNearby {
    ActionSequence plan;
    std::size_t expanded = 0;
};

// A cheapest path from the start to a goal state through at most `max_expanded` states around the plan.
PathNearby cheapest_path_near(PlanStructure& structure, GroundGraph& graph, const ActionSequence& plan,
                              std::size_t max_expanded, Budget& watch);

}  // namespace fsplan
