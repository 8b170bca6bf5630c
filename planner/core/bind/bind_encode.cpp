#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/parts.hpp"
#include "encode/encode.hpp"
#include "instantiate/instantiate.hpp"
#include "invariants/mutex.hpp"
#include "task/packing.hpp"

namespace nb = nanobind;

namespace fsplan {

namespace {

GroundTask encode_with(lifted::Task& lifted, bool mutex_groups, bool only_relevant) {
    WorkWatch watch;
    auto task = instantiate(lifted, watch);
    return encode(lifted, task, watch, {mutex_groups, only_relevant});
}

// Each group as its atoms' words: predicate, objects…; the first group is of atoms that are never true.
std::vector<std::vector<std::vector<std::string>>> named_mutex_groups(lifted::Task& lifted) {
    WorkWatch watch;
    auto task = instantiate(lifted, watch);
    auto groups = find_mutex_groups(lifted, task, watch);
    std::vector<std::vector<std::vector<std::string>>> result(groups.atoms.size());
    for (std::size_t group = 0; group < result.size(); ++group)
        for (auto atom : groups.atoms[group]) {
            auto& words = result[group].emplace_back();
            words.push_back(lifted.predicates[task.atom[atom][0]].name);
            for (auto object : task.atom[atom].subspan(1)) words.push_back(lifted.objects[object]);
        }
    return result;
}

}  // namespace

void bind_encode(nb::module_& module) {
    module.def("encode", encode_with, nb::arg("task"), nb::arg("mutex_groups") = true, nb::arg("only_relevant") = true);
    module.def("mutex_groups", named_mutex_groups, nb::arg("task"));
    module.def("bytes_per_state", [](const GroundTask& task) { return pack(task).bytes_per_state(); }, nb::arg("task"));
}

}  // namespace fsplan
