#include <nanobind/nanobind.h>

#include "bind/heuristic_table.hpp"
#include "bind/parts.hpp"

namespace nb = nanobind;

namespace fsplan {

namespace {

nb::typed<nb::dict, nb::str, nb::typed<nb::list, HeuristicInfo>> table() {
    nb::dict groups;
    for (const HeuristicGroup& group : heuristic_table()) {
        nb::list infos;
        for (const HeuristicInfo* info : group.infos) infos.append(nb::cast(info, nb::rv_policy::reference));
        groups[group.tasks] = infos;
    }
    return nb::borrow<nb::typed<nb::dict, nb::str, nb::typed<nb::list, HeuristicInfo>>>(groups);
}

}  // namespace

void bind_heuristics(nb::module_& module) {
    nb::class_<HeuristicInfo>(module, "HeuristicInfo", "The declaration of a native heuristic")
        .def("__repr__", &fields_text)
        .def_ro("name", &HeuristicInfo::name)
        .def_ro("summary", &HeuristicInfo::summary)
        .def_prop_ro("admissible", [](const HeuristicInfo& self) { return self.properties.admissible; })
        .def_prop_ro("finds_dead_ends", [](const HeuristicInfo& self) { return self.properties.finds_dead_ends; })
        .def_ro("consistent", &HeuristicInfo::consistent)
        .def_ro("conditional_effects", &HeuristicInfo::conditional_effects)
        .def_ro("derived_predicates", &HeuristicInfo::derived_predicates)
        .def_ro("expensive", &HeuristicInfo::expensive)
        .def_ro("needs_files", &HeuristicInfo::needs_files)
        .def_ro("strength", &HeuristicInfo::strength);
    module.def("heuristic_table", &table,
               "The declarations of all native heuristics, by the kind of task they are for");
}

}  // namespace fsplan
