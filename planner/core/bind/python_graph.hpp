// The graph (contract/graph.hpp) of a Python SearchTask, which defines hashable states, successors, is_goal and a
// heuristic. Used with the GIL held.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "containers/store.hpp"
#include "contract/heuristic.hpp"
#include "search/watch.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

namespace nb = nanobind;

// Exception class that the alarm of a time limit raises in Python code of the user, and that nothing else raises.
extern PyObject* out_of_time;

// Converts a Python integer in 0 .. 2^31 - 2; for any other object throws with a message that names `what` and the object.
inline Cost checked_cost(nb::handle value, const char* what) {
    std::int64_t number = -1;
    if (!nb::try_cast(value, number)) {
        const std::string text = nb::cast<std::string>(nb::repr(value));
        throw nb::type_error((std::string(what) + " must be an integer, not " + text).c_str());
    }
    if (number < 0 || number >= kDeadEnd)
        throw nb::value_error((std::string(what) + " must be in 0 .. 2^31 - 2, not " + std::to_string(number)).c_str());
    return static_cast<Cost>(number);
}

// While an object of this class exists, this thread runs Python code of the user during a search.
class UserCode {
public:
    UserCode() { ++depth_; }
    ~UserCode() { --depth_; }
    UserCode(const UserCode&) = delete;
    UserCode& operator=(const UserCode&) = delete;
    static bool is_running() { return depth_ > 0; }

private:
    static inline thread_local int depth_ = 0;
};

// Calls Python code during a search. Ctrl-C or the time limit becomes LimitReached, so that the search ends and reports
// its plan and bound.
template <class Call>
auto interruptible(Call call) {
    const UserCode running;
    try {
        return call();
    } catch (const nb::python_error& error) {
        if (error.matches(PyExc_KeyboardInterrupt)) throw LimitReached{Limit::interrupted};
        if (error.matches(out_of_time)) throw LimitReached{Limit::time};
        throw;
    }
}

// Numbers distinct Python objects 0, 1, … in the order in which they are first seen; compares them by == and hash().
class Numbering {
public:
    std::uint32_t number(nb::handle object) {
        PyObject* found = PyDict_GetItemWithError(numbers_.ptr(), object.ptr());
        if (found != nullptr) return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(found));
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
        const auto number = static_cast<std::uint32_t>(objects_.size());
        numbers_[object] = nb::int_(number);
        objects_.push_back(nb::borrow(object));
        return number;
    }
    nb::handle operator[](std::size_t number) const { return objects_.at(number); }
    std::size_t size() const { return objects_.size(); }

private:
    nb::dict numbers_;
    std::vector<nb::object> objects_;
};

class PythonGraph {
public:
    using State = std::uint32_t;
    using Store = ValueStore<State>;

    explicit PythonGraph(nb::object task) : task_(std::move(task)) {
        if (!nb::hasattr(task_, "actions") || task_.attr("actions").is_none()) return;
        for (nb::handle action : task_.attr("actions")) actions_.number(action);
        declares_actions_ = true;
    }

    Store make_store() const { return {}; }
    State start() { return states_.number(task_.attr("start")); }
    bool is_goal(State state) {
        return interruptible([&] { return nb::cast<bool>(nb::bool_(task_.attr("is_goal")(states_[state]))); });
    }
    template <class Emit>
    void successors(State state, Emit emit) {
        const std::vector<Successor> edges = interruptible([&] { return list_successors(state); });
        for (const Successor& edge : edges) emit(edge.action, edge.cost, edge.state);
    }
    std::size_t action_count() const { return actions_.size(); }
    bool declares_actions() const { return declares_actions_; }
    std::size_t width() const { return 1; }
    void values(State state, std::span<std::int32_t> out) const { out[0] = static_cast<std::int32_t>(state); }
    // Releases all Python objects; called by PythonStateSpace::forget_all.
    void forget() {
        task_ = nb::none();
        states_ = {};
        actions_ = {};
    }
    nb::handle state(State number) const { return states_[number]; }
    nb::handle action(ActionId number) const { return actions_[number]; }

private:
    struct Successor {
        ActionId action;
        Cost cost;
        State state;
    };
    std::vector<Successor> list_successors(State state) {
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
        std::ranges::stable_sort(
            edges, [](const Successor& left, const Successor& right) { return left.action < right.action; });
        return edges;
    }

    nb::object task_;
    Numbering states_;
    Numbering actions_;
    bool declares_actions_ = false;
};

// Converts the value of a Python heuristic to a cost; None and infinity become kDeadEnd.
inline Cost cost_to_go(nb::handle value) {
    double number = 0;
    const bool is_real = PyFloat_Check(value.ptr()) && nb::try_cast(value, number);
    if (value.is_none() || (is_real && number == INFINITY)) return kDeadEnd;
    if (is_real && number == std::floor(number) && number >= 0 && number < kDeadEnd) return static_cast<Cost>(number);
    return checked_cost(value, "a heuristic value");
}
// A heuristic counts as admissible unless it has an attribute `admissible` that is false.
inline bool counts_as_admissible(nb::handle heuristic) {
    return !nb::hasattr(heuristic, "admissible") || nb::cast<bool>(nb::bool_(heuristic.attr("admissible")));
}
inline nb::tuple tuple_of(std::span<const std::int32_t> values) {
    nb::object items = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyTuple_SetItem(items.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(values[i]));
    return nb::tuple(items);
}

// Calls a Python function that maps a state to its h-value, or to None or infinity if the state is a dead end.
class PythonHeuristic {
public:
    PythonHeuristic(PythonGraph& graph, nb::object function)
        : graph_(graph), function_(std::move(function)), properties_{.admissible = counts_as_admissible(function_)} {}

    HeuristicProperties properties() const { return properties_; }
    Evaluation evaluate(PythonGraph::State state) {
        if (function_.is_none()) return {0, 0};
        const Cost h = cost_to_go(interruptible([&] { return function_(graph_.state(state)); }));
        return {h, h};
    }
    Evaluation evaluate_child(PythonGraph::State, Cost, ActionId, PythonGraph::State state) { return evaluate(state); }
    std::span<const ActionId> helpful() const { return {}; }
    void want_guide(bool) {}
    void forget() { function_ = nb::none(); }

private:
    PythonGraph& graph_;
    nb::object function_;  // if it is None, the heuristic is blind
    HeuristicProperties properties_;
};

class PythonStateSpace final : public StateSpace {
public:
    PythonStateSpace(nb::object task, nb::object heuristic)
        : graph_(std::move(task)), heuristic_(graph_, std::move(heuristic)) {
        living().insert(this);
    }
    ~PythonStateSpace() override { living().erase(this); }

    // A task refers to its class, the class to its module, and a variable of the module may hold an explored graph,
    // which refers to this object and thus to the task. Python's garbage collector does not traverse native objects, so
    // such cycles are broken when the interpreter ends.
    static void forget_all() {
        // Releasing the objects of one space may destroy other spaces, so every iteration reads the set again.
        while (!living().empty()) {
            PythonStateSpace* space = *living().begin();
            const nb::object alive = nb::find(space);  // keeps the space alive until its objects are released
            living().erase(space);
            space->heuristic_.forget();
            space->graph_.forget();
        }
    }

    SearchResult search(const SearchRequest& request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, Budget& watch) override {
        const nb::gil_scoped_acquire gil;
        return fsplan::explore(graph_, heuristic.empty() ? nullptr : &heuristic_, max_states, watch);
    }
    std::string state_name(std::span<const std::int32_t> values) const override {
        return nb::cast<std::string>(nb::str(graph_.state(static_cast<PythonGraph::State>(values[0]))));
    }
    std::size_t action_count() const override { return graph_.action_count(); }
    std::string action_name(ActionId action) const override {
        return nb::cast<std::string>(nb::str(graph_.action(action)));
    }
    std::size_t width() const override { return 1; }
    std::vector<std::int32_t> domain_sizes() const override { return {}; }
    std::vector<std::int32_t> start_values() override { return {static_cast<std::int32_t>(graph_.start())}; }
    std::size_t bytes_per_state() const override { return sizeof(PythonGraph::State); }
    HeuristicInfos heuristics() const override { return {&kInfo}; }
    PythonGraph& graph() { return graph_; }

private:
    static std::set<PythonStateSpace*>& living() {
        static std::set<PythonStateSpace*> spaces;
        return spaces;
    }

    static constexpr HeuristicInfo kInfo{
        .name = "task", .summary = "the function that was given with the task", .properties = {.admissible = true}};

    PythonGraph graph_;
    PythonHeuristic heuristic_;
};

}  // namespace fsplan
