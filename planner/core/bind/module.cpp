#include "bind/parts.hpp"

namespace fsplan {

bool signal_raised() {
    const nanobind::gil_scoped_acquire locked;
    return PyErr_CheckSignals() != 0;
}

nanobind::str fields_text(nanobind::handle self) {
    namespace nb = nanobind;
    std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "(", separator;
    for (nb::handle name : self.type().attr("__dict__")) {
        if (!PyObject_TypeCheck(nb::object(self.type().attr("__dict__")[name]).ptr(), &PyProperty_Type)) continue;
        text += separator + nb::cast<std::string>(name) + "=" + nb::cast<std::string>(nb::repr(self.attr(name)));
        separator = ", ";
    }
    return nb::str((text + ")").c_str());
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
