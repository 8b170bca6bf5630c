// The two heuristics that explore nothing: the number of goal facts that do not hold, and "blind", which only tells goals
// from other states.
#include <algorithm>
#include <optional>
#include <vector>

#include "heuristics/guided_heuristic.hpp"
#include "task/derived.hpp"

namespace fsplan {

namespace {

class GoalCountHeuristic : public GuidedHeuristic {
public:
    explicit GoalCountHeuristic(const HeuristicInput& input);
    Evaluation evaluate(const Word* state) override { return with_guide(open_goals(state), state); }

protected:
    Cost open_goals(const Word* state);
    Evaluation with_guide(Cost h, const Word* state) {
        return guided() ? guide_after(explore_max(state), state, h) : Evaluation{h, h};
    }

private:
    std::optional<DerivedEvaluator> derived_;
    std::vector<WordTest> goals_;  // one per goal fact
    std::vector<Word> full_;
};

GoalCountHeuristic::GoalCountHeuristic(const HeuristicInput& input) : GuidedHeuristic(input), full_(layout_.words) {
    const auto derived_goal = [&](auto fact) { return task_.layer[layout_.variable_of[fact]] >= 0; };
    if (std::any_of(task_.goal.begin(), task_.goal.end(), derived_goal)) derived_.emplace(task_, layout_);
    for (const auto& fact : task_.goal) {
        for (const auto& test : layout_.tests(task_, {&fact, 1})) goals_.push_back(test);
    }
}

Cost GoalCountHeuristic::open_goals(const Word* state) {
    if (derived_) {
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        state = full_.data();
    }
    Cost count = 0;
    for (const auto& test : goals_) count += (state[test.word] & test.mask) != test.value;
    return count;
}

class BlindHeuristic : public GoalCountHeuristic {
public:
    explicit BlindHeuristic(const HeuristicInput& input) : GoalCountHeuristic(input) {
        if (!task_.cost.empty()) cheapest_action_ = *std::min_element(task_.cost.begin(), task_.cost.end());
    }
    Evaluation evaluate(const Word* state) override {
        return with_guide(open_goals(state) == 0 ? 0 : cheapest_action_, state);
    }

private:
    Cost cheapest_action_ = 0;
};

}  // namespace

const GroundHeuristicEntry goalcount_heuristic{
    .info = {.name = "goalcount", .summary = "how many goal facts do not hold", .properties = {.admissible = false}},
    .make = make_from_input<GoalCountHeuristic>};

const GroundHeuristicEntry blind_heuristic{
    .info = {.name = "blind",
             .summary = "0 at a goal, the cheapest action's cost elsewhere",
             .properties = {.admissible = true},
             .consistent = true,
             .strength = 1},
    .make = make_from_input<BlindHeuristic>};

}  // namespace fsplan
