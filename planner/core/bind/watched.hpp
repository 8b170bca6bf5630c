// Native work under a Budget, as Python calls it.
#pragma once

#include <nanobind/nanobind.h>

#include "base/budget.hpp"

namespace fsplan {

// Runs the work with the GIL released. A limit that is reached becomes TimeoutError or MemoryError, "no time left to
// …"; after Ctrl-C the exception of its handler is set already (signal_raised).
template <class Work>
auto within_limits(Work work, const std::string& purpose = "") {
    try {
        const nanobind::gil_scoped_release released;
        return work();
    } catch (const LimitReached& limit) {
        if (limit.limit == Limit::time) PyErr_SetString(PyExc_TimeoutError, ("no time left" + purpose).c_str());
        if (limit.limit == Limit::memory) PyErr_SetString(PyExc_MemoryError, ("no memory left" + purpose).c_str());
        throw nanobind::python_error();
    }
}

}  // namespace fsplan
