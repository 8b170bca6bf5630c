#include "bind/parts.hpp"
#include "encode/build.hpp"
#include "spaces/ground_state_space.hpp"

namespace fsplan {

namespace {

GroundTask build(std::vector<std::int32_t> domain_size, std::vector<std::int32_t> layer,
                 std::vector<std::int32_t> initial, std::vector<std::string> fact_names,
                 std::vector<std::string> action_names, std::vector<ValueList> preconditions,
                 std::vector<EffectLists> effects, std::vector<Cost> costs, EffectLists rules, ValueList goal,
                 bool unit_cost) {
    return build_task({std::move(domain_size), std::move(layer), std::move(initial), std::move(fact_names),
                       std::move(action_names), std::move(preconditions), std::move(effects), std::move(costs),
                       std::move(rules), std::move(goal), unit_cost});
}

const ActionSequence& checked(const GroundStateSpace& space, const ActionSequence& plan) {
    for (const ActionId action : plan)
        if (action >= space.action_count()) throw nb::index_error("action out of range");
    return plan;
}

std::vector<bool> is_atom(const GroundStateSpace& space) {
    const GroundTask& task = space.task();
    std::vector<bool> answers;
    for (FactId fact = 0; fact < task.fact_count(); ++fact)
        answers.push_back(!task.fact_negated[fact] && !task.fact_atom[fact].empty());
    return answers;
}

ActionSequence without_unnecessary(GroundStateSpace& space, const ActionSequence& plan) {
    const Occupied occupied(space);
    const nb::gil_scoped_release released;
    return space.without_unnecessary(checked(space, plan));
}
ActionSequence regrouped(GroundStateSpace& space, const ActionSequence& plan, std::uint64_t seed) {
    const Occupied occupied(space);
    const nb::gil_scoped_release released;
    return space.regrouped(checked(space, plan), seed);
}
std::pair<ActionSequence, std::size_t> cheapest_nearby(GroundStateSpace& space, const ActionSequence& plan,
                                                       std::size_t max_expanded, Budget& watch) {
    const Occupied occupied(space);
    PathNearby found = within_limits([&] { return space.cheapest_nearby(checked(space, plan), max_expanded, watch); });
    return {std::move(found.plan), found.expanded};
}
std::unique_ptr<StateSpace> window(GroundStateSpace& space, const ActionSequence& plan, std::size_t first,
                                   std::size_t last) {
    const Occupied occupied(space);
    return space.window(checked(space, plan), first, last);
}

std::vector<std::vector<std::string>> swaps(GroundStateSpace& space, Budget& watch) {
    return within_limits([&] { return space.swaps(watch); });
}

}  // namespace

void bind_ground_state_space(nb::module_& module) {
    module.def("build_task", &build, nb::kw_only(), "domain_size"_a, "layer"_a, "initial"_a, "fact_names"_a,
               "action_names"_a, "preconditions"_a, "effects"_a, "costs"_a, "rules"_a, "goal"_a, "unit_cost"_a,
               "A ground task from plain lists of (variable, value) pairs; ValueError names what is wrong.");
    nb::class_<GroundStateSpace, StateSpace>(module, "GroundStateSpace")
        .def(nb::init<const GroundTask&>(), "task"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("task", &GroundStateSpace::task, nb::rv_policy::reference_internal)
        .def("take_safe_actions_first", &GroundStateSpace::take_safe_actions_first,
             "where an action can do no harm, searches from here on try no other; an optimal plan remains")
        .def("swaps", &swaps, "watch"_a,
             "the swaps of interchangeable objects, each a list of the pairs of objects that are exchanged at once")
        .def("is_atom", &is_atom, "for every value of every variable whether it stands for an atom")
        .def("without_unnecessary", &without_unnecessary, "plan"_a,
             "the plan, as action numbers, without steps that the others do not need")
        .def("regrouped", &regrouped, "plan"_a, "seed"_a, "the same steps in another order, related ones side by side")
        .def("cheapest_nearby", &cheapest_nearby, "plan"_a, "max_expanded"_a, "watch"_a,
             "a cheapest path through the states around the plan, and how many of them were expanded")
        .def("window", &window, "plan"_a, "first"_a, "last"_a, nb::keep_alive<0, 1>(),
             "the task of replacing the steps from `first` up to, not including, `last`");
}

}  // namespace fsplan
