#include "bind/parts.hpp"
#include "heuristics/ground_heuristic.hpp"
#include "puzzles/state_spaces.hpp"

namespace fsplan {

namespace {

using TableOfInfos = nb::typed<nb::dict, nb::str, nb::typed<nb::list, HeuristicInfo>>;

TableOfInfos heuristic_table() {
    const std::pair<const char*, HeuristicInfos> groups[] = {{"pddl", ground_heuristics()},
                                                             {"tiles", TilesStateSpace::all_heuristics()},
                                                             {"pancake", PancakeStateSpace::all_heuristics()}};
    nb::dict table;
    for (const auto& [tasks, heuristics] : groups) {
        nb::list infos;
        for (const HeuristicInfo* info : heuristics) infos.append(nb::cast(info, nb::rv_policy::reference));
        table[tasks] = infos;
    }
    return nb::borrow<TableOfInfos>(table);
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
    module.def("heuristic_table", &heuristic_table,
               "The declarations of all native heuristics, by the kind of task they are for");
}

}  // namespace fsplan
