#include "bind/parts.hpp"
#include "task/task.hpp"

namespace fsplan {

namespace {

std::vector<std::vector<std::uint32_t>> rows_of(const Rows& rows) {
    std::vector<std::vector<std::uint32_t>> result;
    for (std::size_t row = 0; row < rows.size(); ++row) result.emplace_back(rows[row].begin(), rows[row].end());
    return result;
}

std::vector<std::string> action_names(const GroundTask& task) {
    std::vector<std::string> names;
    for (std::size_t action = 0; action < task.action_count(); ++action) names.push_back(task.action_name(action));
    return names;
}

std::string action_name(const GroundTask& task, std::size_t action) {
    if (action >= task.action_count()) throw nb::index_error("action out of range");
    return task.action_name(action);
}

std::string fact_name(const GroundTask& task, FactId fact) {
    if (fact >= task.fact_count()) throw nb::index_error("fact out of range");
    return task.fact_name(fact);
}

// fact -> name and arguments of its atom; empty if the fact is no atom of the domain
std::vector<std::vector<std::string>> fact_atoms(const GroundTask& task) {
    std::vector<std::vector<std::string>> atoms(task.fact_count());
    for (FactId fact = 0; fact < task.fact_count(); ++fact)
        if (task.is_named_atom(fact))
            for (const auto symbol : task.fact_atom[fact]) atoms[fact].push_back(task.symbols[symbol]);
    return atoms;
}

// action -> its effects as pairs (fact made true, condition)
std::vector<std::vector<std::pair<FactId, std::vector<FactId>>>> effects(const GroundTask& task) {
    std::vector<std::vector<std::pair<FactId, std::vector<FactId>>>> result(task.action_count());
    for (std::size_t action = 0; action < task.action_count(); ++action)
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
            auto condition = task.effect_condition[e];
            result[action].emplace_back(task.effect[e], std::vector<FactId>(condition.begin(), condition.end()));
        }
    return result;
}

}  // namespace

void bind_task(nb::module_& module) {
    nb::class_<GroundTask>(module, "GroundTask", "A task in finite-domain variables; members as in task/task.hpp.")
        .def("__repr__",
             [](const GroundTask& task) {
                 return nb::str("<GroundTask: {} facts, {} variables, {} actions>")
                     .format(task.fact_count(), task.variable_count(), task.action_count());
             })
        .def("action_count", &GroundTask::action_count)
        .def("fact_count", &GroundTask::fact_count)
        .def("variable_count", &GroundTask::variable_count)
        .def("rule_count", [](const GroundTask& task) { return task.rule_head.size(); })
        .def("action_name", action_name, nb::arg("action"))
        .def("action_names", action_names)
        .def("fact_name", fact_name, nb::arg("fact"))
        .def("fact_atoms", fact_atoms, "for every fact its predicate and arguments; empty where it is no atom")
        .def("has_derived", &GroundTask::has_derived)
        .def("has_conditional_effects", &GroundTask::has_conditional_effects)
        .def_ro("domain_size", &GroundTask::domain_size)
        .def_ro("layer", &GroundTask::layer)
        .def_ro("initial", &GroundTask::initial)
        .def_ro("first_fact", &GroundTask::first_fact)
        .def_prop_ro("precondition", [](const GroundTask& task) { return rows_of(task.precondition); })
        .def_prop_ro("effects", effects)
        .def_ro("cost", &GroundTask::cost)
        .def_prop_ro("rule_body", [](const GroundTask& task) { return rows_of(task.rule_body); })
        .def_ro("rule_head", &GroundTask::rule_head)
        .def_ro("goal", &GroundTask::goal)
        .def_ro("unit_cost", &GroundTask::unit_cost)
        .def_ro("solvable_relaxed", &GroundTask::solvable_relaxed);
}

}  // namespace fsplan
