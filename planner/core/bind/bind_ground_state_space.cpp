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
    const ExclusiveUse guard(space);
    const nb::gil_scoped_release released;
    return space.without_unnecessary(checked(space, plan));
}
ActionSequence regrouped(GroundStateSpace& space, const ActionSequence& plan, std::uint64_t seed) {
    const ExclusiveUse guard(space);
    const nb::gil_scoped_release released;
    return space.regrouped(checked(space, plan), seed);
}
struct SlicedNeighbourhood {
    GroundStateSpace& space;
    std::unique_ptr<PlanNeighbourhood> states;

    bool expand_for(std::uint64_t work, Budget& watch) {
        const ExclusiveUse guard(space);
        return within_limits([&] { return states->expand_for(work, watch); });
    }
    ActionSequence cheapest_path(Budget& watch) {
        const ExclusiveUse guard(space);
        return within_limits([&] { return states->cheapest_path(watch); });
    }
};
std::unique_ptr<SlicedNeighbourhood> neighbourhood(GroundStateSpace& space, const ActionSequence& plan,
                                                   std::size_t max_expanded) {
    const ExclusiveUse guard(space);
    return std::make_unique<SlicedNeighbourhood>(
        SlicedNeighbourhood{space, space.neighbourhood(checked(space, plan), max_expanded)});
}
std::uint64_t work_of_improvement(GroundStateSpace& space) {
    const ExclusiveUse guard(space);
    return space.work_of_improvement();
}
std::unique_ptr<StateSpace> window(GroundStateSpace& space, const ActionSequence& plan, std::size_t first,
                                   std::size_t last) {
    const ExclusiveUse guard(space);
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
    nb::class_<SlicedNeighbourhood>(module, "PlanNeighbourhood")
        .def("expand_for", &SlicedNeighbourhood::expand_for, "work"_a, "watch"_a,
             "expands further states for about this much work; False: there are none left to expand")
        .def("cheapest_path", &SlicedNeighbourhood::cheapest_path, "watch"_a,
             "a cheapest path through the expanded states, as action numbers; at most as expensive as the plan")
        .def_prop_ro("expanded", [](const SlicedNeighbourhood& near) { return near.states->expanded(); });
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
        .def("neighbourhood", &neighbourhood, "plan"_a, "max_expanded"_a, nb::keep_alive<0, 1>(),
             "the states around the plan, of which at most `max_expanded` will be expanded")
        .def_prop_ro("work_of_improvement", &work_of_improvement,
                     "work (contract/request.hpp) of without_unnecessary, regrouped and neighbourhoods so far")
        .def("window", &window, "plan"_a, "first"_a, "last"_a, nb::keep_alive<0, 1>(),
             "the task of replacing the steps from `first` up to, not including, `last`");
}

}  // namespace fsplan
