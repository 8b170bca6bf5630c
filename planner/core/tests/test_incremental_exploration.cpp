// Tests that the incremental exploration computes the same h_max and relaxed plans as an exploration from scratch, also
// after without_detours() has simplified the relaxation.
#include "relaxation/incremental_exploration.hpp"
#include "relaxation/relaxed_plan.hpp"
#include "task/ground_graph.hpp"
#include "tests/random_task.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

Relaxation relax_with_positive_costs(const GroundTask& task) {
    return with_costs(relax(task), [&](ActionId action) { return task.cost[action] + 1; });
}

struct Found {
    Cost h;
    std::set<ActionId> plan, helpful;  // sets, because the explorations list actions in different orders
    bool operator==(const Found&) const = default;
};

Found found_by(MaxExploration& exploration, RelaxedPlan& plan, const Word* state) {
    const Cost h = exploration.explore(state, true);
    if (h == kDeadEnd) return {h, {}, {}};
    plan.read(exploration, state);
    return {h, {plan.actions().begin(), plan.actions().end()}, {plan.helpful().begin(), plan.helpful().end()}};
}

// Compares both explorations on random walks of 30 steps, each of which begins at the initial state. Returns the number
// of states with a relaxed plan.
std::size_t compare_on_walks(const GroundTask& task, const Relaxation& whole, const Relaxation& tested, Random random) {
    GroundGraph graph(task);
    RelaxedPlan plan(task, graph.layout());
    const auto anew = make_max_exploration(task, graph.layout(), whole);
    const auto incremental = make_incremental_exploration(task, graph.layout(), tested);
    std::size_t solvable = 0;
    std::vector<Word> state(graph.layout().stored_words);
    for (int step = 0; step < 90; ++step) {
        if (step % 30 == 0) std::copy_n(graph.start(), state.size(), state.begin());
        const Found expected = found_by(*anew, plan, state.data());
        require(found_by(*incremental, plan, state.data()) == expected, "the same h_max and relaxed plan");
        solvable += expected.h == kDeadEnd ? 0 : 1;
        std::vector<ActionId> actions;
        graph.labels(state.data(), [&](ActionId action, Cost) { actions.push_back(action); });
        if (actions.empty()) break;
        const Word* next = graph.successor(
            state.data(), actions[static_cast<std::size_t>(random.below(static_cast<int>(actions.size())))]);
        std::copy_n(next, state.size(), state.begin());
    }
    return solvable;
}

void random_tasks_have_the_same_relaxed_plans() {
    std::size_t solvable = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const GroundTask task = random_task(seed, {.variables = 12, .values = 3, .actions = 60});
        const Relaxation whole = relax_with_positive_costs(task);
        solvable += compare_on_walks(task, whole, whole, Random(seed));
        solvable += compare_on_walks(task, whole, without_detours(whole), Random(seed + 1));
    }
    require(solvable > 1000, "many states with a relaxed plan");
}

// A blocks world with one hand. Each block has a variable for its position (on a block, on the table, held) and one for
// whether it is clear; another variable says whether the hand is empty.
class Blocks {
public:
    explicit Blocks(int count) : count_(count) {
        for (int block = 0; block < count; ++block) add_variable(count + 2, block == 0 ? table() : block - 1);
        for (int block = 0; block < count; ++block) add_variable(2, block == count - 1 ? 1 : 0);
        add_variable(2, 1);
        for (int block = 0; block < count; ++block) {
            add("pick-up", {{block, table()}, clear(block, 1), hand(1)}, {{block, held()}, clear(block, 0), hand(0)});
            add("put-down", {{block, held()}}, {{block, table()}, clear(block, 1), hand(1)});
        }
        for (int block = 0; block < count; ++block) {
            for (int below = 0; below < count; ++below) {
                if (block == below) continue;
                add("stack", {{block, held()}, clear(below, 1)},
                    {{block, below}, clear(block, 1), clear(below, 0), hand(1)});
                add("unstack", {{block, below}, clear(block, 1), hand(1)},
                    {{block, held()}, clear(block, 0), clear(below, 1), hand(0)});
            }
        }
        for (int block = 0; block + 1 < count; ++block) lists_.goal.emplace_back(block, block + 1);
    }
    GroundTask task() const { return build_task(lists_); }

private:
    using Assignment = std::pair<std::int32_t, std::int32_t>;

    int table() const { return count_; }
    int held() const { return count_ + 1; }
    Assignment clear(int block, int value) const { return {count_ + block, value}; }
    Assignment hand(int value) const { return {2 * count_, value}; }
    void add_variable(int values, int initial) {
        const std::string name = "Atom v" + std::to_string(lists_.domain_size.size());
        lists_.domain_size.push_back(values);
        lists_.layer.push_back(-1);
        lists_.initial.push_back(initial);
        for (int value = 0; value < values; ++value)
            lists_.fact_names.push_back(name + "(" + std::to_string(value) + ")");
    }
    void add(const char* schema, ValueList needs, const ValueList& effects) {
        lists_.action_names.push_back(schema + std::to_string(lists_.action_names.size()));
        std::ranges::sort(needs);
        lists_.preconditions.push_back(std::move(needs));
        auto& added = lists_.effects.emplace_back();
        for (const auto& fact : effects) added.emplace_back(fact, ValueList{});
        lists_.costs.push_back(1);
    }

    int count_;
    TaskLists lists_;
};

void stacking_on_a_block_that_is_no_goal_is_a_detour() {
    constexpr int kBlocks = 6;
    const GroundTask task = Blocks(kBlocks).task();
    const Relaxation whole = relax(task), rest = without_detours(whole);
    const std::size_t pairs = kBlocks * (kBlocks - 1), goals = kBlocks - 1;
    require(whole.operator_count() == 2 * kBlocks + 2 * pairs + 1, "an operator per action, and the goal");
    require(rest.operator_count() == whole.operator_count() - (pairs - goals), "to stack is of use for goals only");
    require(compare_on_walks(task, whole, rest, Random(1)) == 90, "no dead ends");
}

void operators_without_cost_do_not_suit() {
    const GroundTask task = random_task(1, {});
    require(suits_incremental_exploration(relax_with_positive_costs(task)), "positive costs");
    require(!suits_incremental_exploration(with_costs(relax(task), [](ActionId) { return 0; })), "costs of 0");
}

}  // namespace

int main() {
    random_tasks_have_the_same_relaxed_plans();
    stacking_on_a_block_that_is_no_goal_is_a_detour();
    operators_without_cost_do_not_suit();
}
