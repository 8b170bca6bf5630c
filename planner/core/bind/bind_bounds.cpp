// Bindings of inequalities over operator counts. Python reads them as sparse rows in NumPy arrays.
#include "abstractions/cartesian.hpp"
#include "abstractions/patterns.hpp"
#include "bind/arrays.hpp"
#include "bind/parts.hpp"
#include "bounds/abstraction_rows.hpp"
#include "bounds/landmarks.hpp"
#include "bounds/potentials.hpp"
#include "bounds/state_equation.hpp"
#include "spaces/ground_state_space.hpp"
#include "task/prune.hpp"

namespace fsplan {

namespace {

constexpr double kForever = 1e9, kShortest = 1e-6;  // in seconds; 0 would mean no limit

template <class Item>
std::span<const Item> items_of_actions(const Column<Item>& column, std::size_t size) {
    if (column.size() != size) throw std::invalid_argument("one number per action is needed");
    return items(column);
}

// A NumPy view of an array of LinearRows: nothing is copied, and the view keeps the rows alive.
template <auto member>
auto row_view(nb::handle self) {
    const auto& items = nb::cast<const LinearRows&>(self).*member;
    using Item = typename std::remove_cvref_t<decltype(items)>::value_type;
    return nb::ndarray<nb::numpy, const Item, nb::ndim<1>>(items.data(), {items.size()}, self);
}

// Disjunctive action landmarks of the initial state of a state space (bounds/landmarks.hpp).
class Landmarks {
public:
    Landmarks(GroundStateSpace& space, Budget& watch) : actions_(space.action_count()) {
        const ExclusiveUse guard(space);
        within_limits([&] { finder_.emplace(space.task(), space.start_values(watch), watch); });
    }

    nb::tuple cuts(const Column<Cost>& costs, Budget& watch) {
        LinearRows rows;
        const auto of_actions = items_of_actions(costs, actions_);
        const Cost sum = within_limits([&] { return finder_->cuts(of_actions, rows, watch); });
        return nb::make_tuple(finite(sum), std::move(rows));
    }
    LinearRows last_of(const Column<ActionId>& order, Budget& watch, bool with_pairs) {
        LinearRows rows;
        const auto actions = items_of_actions(order, actions_);
        for (auto action : actions) {
            if (action >= actions_) throw std::invalid_argument("no such action");
        }
        within_limits([&] { finder_->last_of(actions, with_pairs, rows, watch); });
        return rows;
    }
    std::size_t make_pairs(std::size_t most_terms, Budget& watch) {
        return within_limits([&] { return finder_->make_pairs(most_terms, watch); });
    }
    std::vector<std::vector<FactId>> pair_cut(const std::vector<ActionId>& actions, Budget& watch) {
        return within_limits([&] { return finder_->pair_cut(actions, watch); });
    }
    std::uint64_t work() const { return finder_->work(); }

private:
    std::size_t actions_;
    std::optional<LandmarkFinder> finder_;
};

using MakeAbstractions = std::vector<Abstraction> (*)(const GroundTask& task, std::span<const std::int32_t> start,
                                                      const ProjectionLimits& limits, Budget& watch);
std::vector<Abstraction> make_small(const GroundTask& task, std::span<const std::int32_t>,
                                    const ProjectionLimits& limits, Budget& watch) {
    return systematic_projections(task, limits, watch);
}
std::vector<Abstraction> make_refined(const GroundTask& task, std::span<const std::int32_t> start,
                                      const ProjectionLimits& limits, Budget& watch) {
    return cartesian_abstractions(task, start, {.states = limits.states, .work = limits.work}, watch);
}
MakeAbstractions abstractions_of_kind(const std::string& kind) {
    if (kind == "small") return make_small;
    if (kind == "large") return large_projections;
    if (kind == "refined") return make_refined;
    throw std::invalid_argument("abstractions are small, large or refined");
}

// Rows of a linear program from abstractions, for the initial state of a state space (bounds/abstraction_rows.hpp).
class Abstractions {
public:
    Abstractions(GroundStateSpace& space, const std::string& kind, std::size_t variables, std::size_t states,
                 std::size_t work, Budget& watch)
        : actions_(space.action_count()) {
        if (kind == "large" && variables > 30) throw std::invalid_argument("a large pattern has at most 30 variables");
        const auto make = abstractions_of_kind(kind);
        const ProjectionLimits limits{.variables = variables, .states = states, .work = work};
        const ExclusiveUse guard(space);
        within_limits([&] {
            const auto start = space.start_values(watch);
            rows_ = std::make_unique<AbstractionRows>(make(space.task(), start, limits, watch), start);
        });
    }

    std::size_t size() const { return rows_->size(); }
    const std::vector<VariablePattern>& patterns() const { return rows_->patterns(); }
    nb::tuple partition(const Column<Cost>& costs, Budget& watch, std::uint64_t seed) {
        LinearRows found;
        const auto of_actions = items_of_actions(costs, actions_);
        const auto sum = within_limits([&] { return rows_->partition(of_actions, seed, found, watch); });
        return nb::make_tuple(finite(sum), std::move(found));
    }

private:
    std::size_t actions_;
    std::unique_ptr<AbstractionRows> rows_;
};

GroundTask pruned_task(GroundStateSpace& space, Budget& watch) {
    const ExclusiveUse guard(space);
    return within_limits([&] { return pruned(space.task(), space.start_values(watch), watch); });
}

LinearRows equation(GroundStateSpace& space, Budget& watch) {
    const ExclusiveUse guard(space);
    return within_limits([&] { return state_equation(space.task(), space.start_values(watch), watch); });
}

nb::ndarray<nb::numpy, const Cost, nb::ndim<1>> costs(nb::handle self) {
    const auto& costs = nb::cast<const GroundStateSpace&>(self).task().cost;
    return {costs.data(), {costs.size()}, self};
}

// A row per state and a column per variable: the fact of the variable that holds, or -1 for a derived variable.
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>> facts_of(const GroundTask& task,
                                                           std::span<const StateValues> states) {
    auto facts = std::make_unique<std::vector<std::int64_t>>();
    for (const auto& values : states) {
        for (std::size_t v = 0; v < values.size(); ++v)
            facts->push_back(task.layer[v] >= 0 ? -1 : std::int64_t{task.first_fact[v]} + values[v]);
    }
    auto* kept = facts.release();
    nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<std::int64_t>*>(pointer); });
    return {kept->data(), {states.size(), task.variable_count()}, owner};
}

// Calls the Python function that solves linear programs with HiGHS. Acquires the GIL, which the construction of a
// heuristic may have released.
std::vector<Potential> solve_for_potentials(const PotentialProblem& problem) {
    const nb::gil_scoped_acquire lock;
    const auto solve = nb::module_::import_("fsplan.planner.bounds.potentials").attr("potentials");
    std::vector<Potential> found;
    const nb::object answer = solve(LinearRows(problem.changes), to_array(std::vector<Cost>(problem.task.cost)),
                                    to_array(std::vector<FactId>(problem.task.goal)),
                                    facts_of(problem.task, problem.states), problem.seconds);
    for (auto [weights, denominator] : nb::cast<std::vector<std::pair<Column<std::int64_t>, std::int64_t>>>(answer)) {
        const auto of_facts = items(weights);
        found.push_back(Potential{{of_facts.begin(), of_facts.end()}, denominator});
    }
    return found;
}

std::vector<std::pair<Array<std::int64_t>, std::int64_t>> potentials_of(GroundStateSpace& space) {
    std::vector<std::pair<Array<std::int64_t>, std::int64_t>> found;
    for (auto& [weights, denominator] : find_potentials(space.task(), unlimited()))
        found.emplace_back(to_array(std::move(weights)), denominator);
    return found;
}

}  // namespace

void bind_bounds(nb::module_& module) {
    nb::class_<LinearRows>(module, "LinearRows", "Σ coefficient · count(action) ≥ lower, in compressed rows.")
        .def("__len__", [](const LinearRows& rows) { return rows.lower.size(); })
        .def_prop_ro("begin", &row_view<&LinearRows::begin>)
        .def_prop_ro("action", &row_view<&LinearRows::action>)
        .def_prop_ro("coefficient", &row_view<&LinearRows::coefficient>)
        .def_prop_ro("lower", &row_view<&LinearRows::lower>);
    nb::class_<Budget>(module, "Budget",
                       "Limits on native work. A call that reaches one raises TimeoutError or MemoryError.")
        .def(
            "__init__",
            [](Budget* self, double seconds, std::size_t memory) {
                new (self) Budget(std::max(seconds, kShortest), memory, signal_raised);
            },
            "seconds"_a = kForever, "memory_limit"_a = 0);
    nb::class_<Landmarks>(module, "Landmarks", "Disjunctive action landmarks of the start, each returned once.")
        .def(nb::init<GroundStateSpace&, Budget&>(), "space"_a, "watch"_a, nb::keep_alive<1, 2>())
        .def("cuts", &Landmarks::cuts, "costs"_a, "watch"_a,
             "LM-cut's sum under these costs (None: there is no plan) and its landmarks.")
        .def("last_of", &Landmarks::last_of, "order"_a, "watch"_a, "with_pairs"_a = false,
             "A minimal landmark of the actions that are last in the order.")
        .def("make_pairs", &Landmarks::make_pairs, "most_terms"_a, "watch"_a,
             "Builds the relaxation with pairs of facts for `last_of`; returns the number of pairs, 0 if there are "
             "none.")
        .def(
            "pair_cut", &Landmarks::pair_cut, "actions"_a, "watch"_a,
            "Facts and pairs of facts, a cut that shows that every plan uses one of the actions; empty: there is none.")
        .def_prop_ro("work", &Landmarks::work, "What `last_of` has done so far.");
    nb::class_<Abstractions>(module, "Abstractions", "Abstractions of a task with few states each.")
        .def(nb::init<GroundStateSpace&, const std::string&, std::size_t, std::size_t, std::size_t, Budget&>(),
             "space"_a, "kind"_a, "variables"_a, "states"_a, "work"_a, "watch"_a, nb::keep_alive<1, 2>(),
             "Of kind small or large: projections to few or many variables; refined: Cartesian abstractions.")
        .def("__len__", &Abstractions::size)
        .def("patterns", &Abstractions::patterns, "The variables that each row of the last partition is about.")
        .def(
            "partition", &Abstractions::partition, "costs"_a, "watch"_a, "seed"_a = 0,
            "The sum of a saturated cost partitioning of the costs (None: there is no plan) and its rows. The order is "
            "the start's; with a seed it is random.");
    module.def("pruned_task", &pruned_task, "space"_a, "watch"_a,
               "The task without what no plan from the start uses; action numbers stay the same.");
    module.def("state_equation", &equation, "space"_a, "watch"_a, "The state equation of the start.");
    module.def(
        "potentials", &potentials_of, "space"_a,
        "What the heuristic `potential` sums: weights per fact, and their denominator. For every action the sum of "
        "change · weight is at most its cost times the denominator.");
    module.def(
        "changes_of_facts", [](const GroundStateSpace& space) { return changes_of_facts(space.task()); }, "space"_a,
        "Row f: the most that each action can add to the truth of fact f.");
    set_potential_solver(solve_for_potentials);
    module.def("action_costs", &costs, "space"_a, "The cost of every action of a grounded task.");
}

}  // namespace fsplan
