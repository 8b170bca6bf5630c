// Two heuristics without an exploration: goalcount, the number of unsatisfied goal facts, and blind, which is 0 at
// goals and the least action cost elsewhere.
#include "heuristics/goal_counter.hpp"
#include "heuristics/guided_heuristic.hpp"

namespace fsplan {

namespace {

class GoalCountHeuristic : public GuidedHeuristic {
public:
    explicit GoalCountHeuristic(const HeuristicInput& input) : GuidedHeuristic(input), goals_(task_, layout_) {}
    Evaluation evaluate(const Word* state) override { return with_guide(goals_.count_open(state), state); }

protected:
    bool is_goal(const Word* state) { return goals_.count_open(state) == 0; }
    Evaluation with_guide(Cost h, const Word* state) {
        return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
    }

private:
    GoalCounter goals_;
};

class BlindHeuristic : public GoalCountHeuristic {
public:
    explicit BlindHeuristic(const HeuristicInput& input) : GoalCountHeuristic(input) {
        if (!task_.cost.empty()) cheapest_action_ = *std::ranges::min_element(task_.cost);
    }
    Evaluation evaluate(const Word* state) override { return with_guide(is_goal(state) ? 0 : cheapest_action_, state); }

private:
    Cost cheapest_action_ = 0;
};

}  // namespace

const GroundHeuristicEntry goalcount_heuristic{
    .info = {.name = "goalcount", .summary = "number of unsatisfied goals", .properties = {.admissible = false}},
    .make = make_from_input<GoalCountHeuristic>};

const GroundHeuristicEntry blind_heuristic{.info = {.name = "blind",
                                                    .summary = "0 at a goal, the cheapest action's cost elsewhere",
                                                    .properties = {.admissible = true},
                                                    .consistent = true,
                                                    .strength = 1},
                                           .make = make_from_input<BlindHeuristic>};

}  // namespace fsplan
