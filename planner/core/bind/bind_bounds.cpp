// Inequalities over operator counts as Python uses them: NumPy arrays in compressed rows.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/parts.hpp"
#include "bounds/landmarks.hpp"
#include "bounds/projection_rows.hpp"
#include "bounds/state_equation.hpp"
#include "task/ground_state_space.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fsplan {

namespace {

template <class Item>
std::span<const Item> items(const Column<Item>& column, std::size_t size) {
    if (column.size() != size) throw std::invalid_argument("one number per action is needed");
    return fsplan::items(column);
}

// A view of a native array: nothing is copied, and it keeps its rows alive.
template <auto member>
auto row_view(nb::handle self) {
    const auto& items = nb::cast<const LinearRows&>(self).*member;
    using Item = typename std::remove_cvref_t<decltype(items)>::value_type;
    return nb::ndarray<nb::numpy, const Item, nb::ndim<1>>(items.data(), {items.size()}, self);
}

// The landmarks of a space's start.
class Landmarks {
public:
    explicit Landmarks(GroundStateSpace& space)
        : actions_(space.action_count()), finder_(space.task(), space.start_values()) {}

    nb::tuple cuts(const Column<Cost>& costs) {
        LinearRows rows;
        const Cost sum = finder_.cuts(items(costs, actions_), rows);
        return nb::make_tuple(sum == kDeadEnd ? nb::none() : nb::cast(sum), std::move(rows));
    }
    LinearRows last_of(const Column<ActionId>& order) {
        LinearRows rows;
        for (auto action : items(order, actions_)) {
            if (action >= actions_) throw std::invalid_argument("no such action");
        }
        finder_.last_of(items(order, actions_), rows);
        return rows;
    }

private:
    std::size_t actions_;
    LandmarkFinder finder_;
};

// Rows from projections, for a space's start.
class Projections {
public:
    Projections(GroundStateSpace& space, std::size_t variables, std::size_t states, std::size_t work)
        : actions_(space.action_count()),
          rows_(space.task(), space.start_values(), {.variables = variables, .states = states, .work = work}) {}

    std::size_t size() const { return rows_.size(); }
    nb::tuple partition(const Column<Cost>& costs, std::uint64_t seed) {
        LinearRows found;
        const auto sum = rows_.partition(items(costs, actions_), seed, found);
        return nb::make_tuple(sum == kDeadEnd ? nb::none() : nb::cast(sum), std::move(found));
    }
    nb::tuple separate(const Column<Cost>& costs, const Column<double>& counts) {
        LinearRows found;
        const bool solvable = rows_.separate(items(costs, actions_), items(counts, actions_), found);
        return nb::make_tuple(solvable, std::move(found));
    }

private:
    std::size_t actions_;
    ProjectionRows rows_;
};

LinearRows equation(GroundStateSpace& space) { return state_equation(space.task(), space.start_values()); }

nb::ndarray<nb::numpy, const Cost, nb::ndim<1>> costs(nb::handle self) {
    const auto& costs = nb::cast<const GroundStateSpace&>(self).task().cost;
    return {costs.data(), {costs.size()}, self};
}

}  // namespace

void bind_bounds(nb::module_& module) {
    nb::class_<LinearRows>(module, "LinearRows", "Σ coefficient · count(action) ≥ lower, in compressed rows.")
        .def("__len__", [](const LinearRows& rows) { return rows.lower.size(); })
        .def_prop_ro("begin", &row_view<&LinearRows::begin>)
        .def_prop_ro("action", &row_view<&LinearRows::action>)
        .def_prop_ro("coefficient", &row_view<&LinearRows::coefficient>)
        .def_prop_ro("lower", &row_view<&LinearRows::lower>);
    nb::class_<Landmarks>(module, "Landmarks", "Disjunctive action landmarks of the start, each returned once.")
        .def(nb::init<GroundStateSpace&>(), "space"_a, nb::keep_alive<1, 2>())
        .def("cuts", &Landmarks::cuts, "costs"_a,
             "LM-cut's sum if actions cost so much (None: there is no plan) and its landmarks.")
        .def("last_of", &Landmarks::last_of, "order"_a, "A minimal landmark of the actions that are last in the order.");
    nb::class_<Projections>(module, "Projections", "Projections of a task to a few variables each.")
        .def(nb::init<GroundStateSpace&, std::size_t, std::size_t, std::size_t>(), "space"_a, "variables"_a, "states"_a,
             "work"_a, nb::keep_alive<1, 2>())
        .def("__len__", &Projections::size)
        .def("partition", &Projections::partition, "costs"_a, "seed"_a = 0,
             "The sum of a saturated cost partitioning of the costs (None: there is no plan) and its rows. The order is "
             "the start's; with a seed it is random.")
        .def("separate", &Projections::separate, "costs"_a, "counts"_a,
             "Whether there may be a plan, and the rows that the counts violate, each projection under all the costs.");
    module.def("state_equation", &equation, "space"_a, "The state equation of the start.");
    module.def("action_costs", &costs, "space"_a, "The cost of every action of a grounded task.");
}

}  // namespace fsplan
