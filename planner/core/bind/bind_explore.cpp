#include <nanobind/ndarray.h>

#include "bind/parts.hpp"
#include "spaces/explore.hpp"
#include "spaces/ground_state_space.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

namespace {

// Views of the native arrays: nothing is copied, and a view keeps its graph alive.
template <class Item>
using View = nb::ndarray<nb::numpy, const Item, nb::ndim<1>>;

template <auto member>
auto view(nb::handle self) {
    const auto& items = nb::cast<const ExploredGraph&>(self).*member;
    using Item = typename std::remove_cvref_t<decltype(items)>::value_type;
    return View<Item>(items.data(), {items.size()}, self);
}

auto values(const ExploredGraph& graph, StateId first, StateId last) {
    if (first > last || last > graph.size()) throw nb::index_error("no such state");
    auto count = static_cast<std::size_t>(last - first);
    auto* data = new std::int32_t[count * graph.width + 1];
    nb::capsule owner(data, [](void* items) noexcept { delete[] static_cast<std::int32_t*>(items); });
    for (std::size_t i = 0; i < count; ++i) {
        graph.values(first + static_cast<StateId>(i), {data + i * graph.width, graph.width});
    }
    return nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>(data, {count, graph.width}, owner);
}

// Calls explored(watch) with a time limit. During the call any other use of `space` throws.
template <class Explore>
ExploredGraph in_time(StateSpace& space, double seconds, Explore explored) {
    const ExclusiveUse guard(space);
    Budget watch(seconds, 0, signal_raised);
    return within_limits([&] { return explored(watch); }, " to enumerate the states");
}

ExploredGraph explore_state_space(StateSpace& space, const std::string& heuristic, std::size_t max_states,
                                  double seconds) {
    return in_time(space, seconds, [&](Budget& watch) { return space.explore(heuristic, max_states, watch); });
}

ExploredGraph explore_up_to_symmetry(GroundStateSpace& space, std::size_t max_states, double seconds) {
    return in_time(space, seconds, [&](Budget& watch) { return space.explore_up_to_symmetry(max_states, watch); });
}

std::string state_name(const StateSpace& space, const std::vector<std::int32_t>& values) {
    if (values.size() != space.width()) throw std::invalid_argument("one value per variable is needed");
    return space.state_name(values);
}

}  // namespace

void bind_explore(nb::module_& module) {
    nb::exception<TooManyStates>(module, "TooManyStates", PyExc_ValueError);
    nb::class_<ExploredGraph>(module, "ExploredGraph")
        .def("__repr__",
             [](const ExploredGraph& graph) {
                 return nb::str("<ExploredGraph: {} states, {} edges>").format(graph.size(), graph.target.size());
             })
        .def("__len__", &ExploredGraph::size)
        .def_prop_ro("edges_begin", &view<&ExploredGraph::edges_begin>)
        .def_prop_ro("target", &view<&ExploredGraph::target>)
        .def_prop_ro("action", &view<&ExploredGraph::action>)
        .def_prop_ro("cost", &view<&ExploredGraph::cost>)
        .def_prop_ro("goal", &view<&ExploredGraph::goal>)
        .def_prop_ro("h", &view<&ExploredGraph::h>)
        .def_prop_ro("h_star", &view<&ExploredGraph::h_star>)
        .def("values", &values, "first"_a, "last"_a, "The values of states first .. last, a row each.");
    module.def("explore", &explore_state_space, "space"_a, "heuristic"_a, "max_states"_a, "seconds"_a = 0.0,
               nb::keep_alive<0, 1>(), "The graph reachable from the start, with h by the named heuristic ('': none).");
    module.def("explore_up_to_symmetry", &explore_up_to_symmetry, "space"_a, "max_states"_a, "seconds"_a = 0.0,
               nb::keep_alive<0, 1>(),
               "The same with one of the states that swaps of interchangeable objects lead to.");
    module.def("state_name", &state_name, "space"_a, "values"_a, "A state as people read it.");
}

}  // namespace fsplan
