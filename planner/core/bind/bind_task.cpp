#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind/parts.hpp"
#include "ground/task.hpp"

namespace nb = nanobind;

namespace fsplan {

void bind_task(nb::module_& module) {
    nb::class_<GroundTask>(module, "GroundTask")
        .def("action_count", &GroundTask::action_count)
        .def("fact_count", &GroundTask::fact_count)
        .def("variable_count", &GroundTask::variable_count)
        .def("action_name", &GroundTask::action_name)
        .def("fact_name", &GroundTask::fact_name);
}

}  // namespace fsplan
