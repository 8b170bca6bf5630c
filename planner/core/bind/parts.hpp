// One function per part of the module; each is in bind_<part>.cpp and is called in module.cpp.
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

namespace fsplan {

namespace nb = nanobind;
using namespace nb::literals;

// Whether a signal's handler has raised an exception, which is then set; for a Budget.
bool signal_raised();

// An object by its type and its properties: "Incumbent(plan=[3, 7], cost=2, lower_bound=2)".
nb::str fields_text(nb::handle self);

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
