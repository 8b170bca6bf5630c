// One function per part of the module; each is in bind_<part>.cpp and is called in module.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace fsplan {

// Whether a signal's handler has raised an exception, which is then set; for a Budget.
bool signal_raised();

// An object by its type and its properties: "Incumbent(plan=[3, 7], cost=2, lower_bound=2)".
nanobind::str fields_text(nanobind::handle self);

void bind_task(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_answers(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_heuristics(nanobind::module_& module);
void bind_ground(nanobind::module_& module);
void bind_ground_state_space(nanobind::module_& module);
void bind_explore(nanobind::module_& module);
void bind_bounds(nanobind::module_& module);
void bind_proofs(nanobind::module_& module);
void bind_policies(nanobind::module_& module);
void bind_puzzles(nanobind::module_& module);
void bind_relational(nanobind::module_& module);
void bind_deadline(nanobind::module_& module);

}  // namespace fsplan
