// Helper functions for the bindings, and the declaration of one function per part of the Python module. The function is
// defined in bind_<part>.cpp and called in module.cpp.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "base/budget.hpp"
#include "contract/graph.hpp"

namespace fsplan {

namespace nb = nanobind;
using namespace nb::literals;

// Runs pending signal handlers and returns whether one has raised; its Python exception is then set. A Budget calls
// this function to detect Ctrl-C.
bool signal_raised();

// The type and properties of an object as text, such as "Incumbent(plan=[3, 7], cost=2, lower_bound=2)".
nb::str fields_text(nb::handle self);

// Runs the work with the GIL released. If the time or memory limit is reached, raises TimeoutError or MemoryError with
// the message "no time left" + purpose; after Ctrl-C signal_raised() has already set the exception.
template <class Work>
auto within_limits(Work work, const std::string& purpose = "") {
    try {
        const nb::gil_scoped_release released;
        return work();
    } catch (const LimitReached& limit) {
        if (limit.limit == Limit::time) PyErr_SetString(PyExc_TimeoutError, ("no time left" + purpose).c_str());
        if (limit.limit == Limit::memory) PyErr_SetString(PyExc_MemoryError, ("no memory left" + purpose).c_str());
        throw nb::python_error();
    }
}

// Converts a cost for Python, where kInfinite becomes None.
inline std::optional<Cost> finite(Cost cost) { return cost == kInfinite ? std::nullopt : std::optional<Cost>(cost); }

void bind_task(nb::module_& module);
void bind_options(nb::module_& module);
void bind_answers(nb::module_& module);
void bind_search(nb::module_& module);
void bind_heuristics(nb::module_& module);
void bind_ground(nb::module_& module);
void bind_ground_state_space(nb::module_& module);
void bind_explore(nb::module_& module);
void bind_bounds(nb::module_& module);
void bind_proofs(nb::module_& module);
void bind_policies(nb::module_& module);
void bind_puzzles(nb::module_& module);
void bind_relational(nb::module_& module);
void bind_deadline(nb::module_& module);

}  // namespace fsplan
