#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/parts.hpp"
#include "ground/packing.hpp"

namespace nb = nanobind;

namespace fsplan {

void bind_encode(nb::module_& module) {
    module.def("bytes_per_state", [](const GroundTask& task) { return pack(task).bytes_per_state(); }, nb::arg("task"));
    module.def("domain_sizes", [](const GroundTask& task) { return task.domain_size; }, nb::arg("task"));
    module.def("layers", [](const GroundTask& task) { return task.layer; }, nb::arg("task"));
}

}  // namespace fsplan
