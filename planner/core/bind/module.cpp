#include <nanobind/nanobind.h>

#include "bind/parts.hpp"

namespace fsplan {

bool signal_raised() {
    const nanobind::gil_scoped_acquire locked;
    return PyErr_CheckSignals() != 0;
}

}  // namespace fsplan

NB_MODULE(_core, module) {
    module.doc() = "fsplan's native core";
    fsplan::bind_task(module);
    fsplan::bind_options(module);
    fsplan::bind_answers(module);
    fsplan::bind_search(module);
    fsplan::bind_heuristics(module);
    fsplan::bind_ground(module);
    fsplan::bind_ground_state_space(module);
    fsplan::bind_explore(module);
    fsplan::bind_bounds(module);
    fsplan::bind_proofs(module);
    fsplan::bind_policies(module);
    fsplan::bind_puzzles(module);
    fsplan::bind_relational(module);
    fsplan::bind_deadline(module);
}
