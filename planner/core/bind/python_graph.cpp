#include "bind/python_graph.hpp"

#include <nanobind/stl/string.h>

#include "search/dispatch.hpp"
#include "search/list.hpp"
#include "search/order.hpp"

namespace fsplan {

namespace {

// A cost in 0 .. 2^31 - 2, or an exception that says what was found.
Cost checked_cost(nb::handle value, const char* what) {
    std::int64_t number = -1;
    if (!nb::try_cast(value, number)) {
        const std::string text = nb::cast<std::string>(nb::repr(value));
        throw nb::type_error((std::string(what) + " must be an integer, not " + text).c_str());
    }
    if (number < 0 || number >= kDeadEnd)
        throw nb::value_error((std::string(what) + " must be in 0 .. 2^31 - 2, not " + std::to_string(number)).c_str());
    return static_cast<Cost>(number);
}

}  // namespace

std::uint32_t Numbering::number(nb::handle object) {
    PyObject* found = PyDict_GetItemWithError(numbers_.ptr(), object.ptr());
    if (found != nullptr) return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(found));
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    const auto number = static_cast<std::uint32_t>(objects_.size());
    numbers_[object] = nb::int_(number);
    objects_.push_back(nb::borrow(object));
    return number;
}

PythonGraph::PythonGraph(nb::object task) : task_(std::move(task)) {
    if (!nb::hasattr(task_, "actions") || task_.attr("actions").is_none()) return;
    for (nb::handle action : task_.attr("actions")) actions_.number(action);
    declares_actions_ = true;
}

bool PythonGraph::is_goal(State state) {
    return interruptible([&] { return nb::cast<bool>(nb::bool_(task_.attr("is_goal")(states_[state]))); });
}

std::vector<PythonGraph::Successor> PythonGraph::list_successors(State state) {
    std::vector<Successor> edges;
    for (nb::handle item : task_.attr("successors")(states_[state])) {
        const nb::tuple edge = nb::tuple(nb::borrow(item));
        if (edge.size() != 3) throw nb::value_error("successors must give (action, cost, state)");
        const std::size_t known = actions_.size();
        const ActionId action = actions_.number(edge[0]);
        if (declares_actions_ && action >= known)
            throw nb::value_error("successors gave an action that is not in the task's actions");
        edges.push_back({action, checked_cost(edge[1], "an action's cost"), states_.number(edge[2])});
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [](const Successor& left, const Successor& right) { return left.action < right.action; });
    return edges;
}

Cost cost_to_go(nb::handle value) {
    double number = 0;
    const bool is_real = PyFloat_Check(value.ptr()) && nb::try_cast(value, number);
    if (value.is_none() || (is_real && number == INFINITY)) return kDeadEnd;
    if (is_real && number == std::floor(number) && number >= 0 && number < kDeadEnd) return static_cast<Cost>(number);
    return checked_cost(value, "a heuristic value");
}

bool counts_as_admissible(nb::handle heuristic) {
    return !nb::hasattr(heuristic, "admissible") || nb::cast<bool>(nb::bool_(heuristic.attr("admissible")));
}

nb::tuple tuple_of(std::span<const std::int32_t> values) {
    nb::object items = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyTuple_SetItem(items.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(values[i]));
    return nb::tuple(items);
}

PythonHeuristic::PythonHeuristic(PythonGraph& graph, nb::object function)
    : graph_(graph), function_(std::move(function)), properties_{.admissible = counts_as_admissible(function_)} {}

Evaluation PythonHeuristic::evaluate(PythonGraph::State state) {
    if (function_.is_none()) return {0, 0};
    const Cost h = cost_to_go(interruptible([&] { return function_(graph_.state(state)); }));
    return {h, h};
}

PythonStateSpace::PythonStateSpace(nb::object task, nb::object heuristic)
    : graph_(std::move(task)), heuristic_(graph_, std::move(heuristic)) {
    living().insert(this);
}

std::set<PythonStateSpace*>& PythonStateSpace::living() {
    static std::set<PythonStateSpace*> spaces;
    return spaces;
}

void PythonStateSpace::forget_all() {
    // Releasing the objects of one space may destroy other spaces, so the set is read anew in every iteration.
    while (!living().empty()) {
        PythonStateSpace* space = *living().begin();
        const nb::object alive = nb::find(space);  // keeps the space alive until its objects are released
        living().erase(space);
        space->heuristic_.forget();
        space->graph_.forget();
    }
}

SearchResult PythonStateSpace::search(const SearchRequest& request) {
    const nb::gil_scoped_acquire gil;
    const bool ordered = request.search == &focal_search || request.search == &pfs_search;
    const bool counts_all = ordered && (request.order == &Disc1::info || request.order == &Disc1Profile::info) &&
                            request.alpha == Alpha::all_actions;
    if (counts_all && !graph_.declares_actions())
        throw nb::value_error("disc1 counts all actions: give the task an `actions` list, or alpha='applicable'");
    if (!request.masked && !graph_.declares_actions())
        throw nb::value_error("unmasked, the policy decides among all actions: give the task an `actions` list");
    return run_search(graph_, heuristic_, request);
}

std::string PythonStateSpace::action_name(ActionId action) const {
    return nb::cast<std::string>(nb::str(graph_.action(action)));
}

std::string PythonStateSpace::state_name(std::span<const std::int32_t> values) const {
    return nb::cast<std::string>(nb::str(graph_.state(static_cast<PythonGraph::State>(values[0]))));
}

}  // namespace fsplan
