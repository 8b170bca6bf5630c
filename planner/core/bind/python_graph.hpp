// A Python SearchTask as a graph: hashable states, successors, is_goal, a heuristic. Used with the GIL held.
#pragma once

#include <nanobind/nanobind.h>

#include "containers/store.hpp"
#include "contract/heuristic.hpp"
#include "search/watch.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

namespace nb = nanobind;

// The exception that the alarm of a time limit raises in Python code of the user; it has no other use.
extern PyObject* out_of_time;

// Whether this thread runs Python code of the user in the middle of a search.
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

// Calls Python in the middle of a search: Ctrl-C or the time limit ends the search, which reports its plan and bound.
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

// Objects numbered in the order in which they are first seen, by Python's own == and hash.
class Numbering {
public:
    std::uint32_t number(nb::handle object);
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

    explicit PythonGraph(nb::object task);

    Store make_store() const { return {}; }
    State start() { return states_.number(task_.attr("start")); }
    bool is_goal(State state);
    template <class Emit>
    void successors(State state, Emit emit) {
        const std::vector<Successor> edges = interruptible([&] { return list_successors(state); });
        for (const Successor& edge : edges) emit(edge.action, edge.cost, edge.state);
    }
    std::size_t action_count() const { return actions_.size(); }
    bool declares_actions() const { return declares_actions_; }
    std::size_t width() const { return 1; }
    void values(State state, std::span<std::int32_t> out) const { out[0] = static_cast<std::int32_t>(state); }
    // Drops every Python object: see PythonStateSpace::forget_all.
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
    std::vector<Successor> list_successors(State state);

    nb::object task_;
    Numbering states_;
    Numbering actions_;
    bool declares_actions_ = false;
};

// Converts the value of a Python heuristic to a cost; None and infinity become kDeadEnd.
Cost cost_to_go(nb::handle value);
// True unless the heuristic has an attribute `admissible` that is false.
bool counts_as_admissible(nb::handle heuristic);
nb::tuple tuple_of(std::span<const std::int32_t> values);

// A callable state -> cost to go; None or infinity where no goal can be reached. It counts as admissible unless its
// attribute `admissible` is false.
class PythonHeuristic {
public:
    PythonHeuristic(PythonGraph& graph, nb::object function);

    HeuristicProperties properties() const { return properties_; }
    Evaluation evaluate(PythonGraph::State state);
    Evaluation evaluate_child(PythonGraph::State, Cost, ActionId, PythonGraph::State state) { return evaluate(state); }
    std::span<const ActionId> helpful() const { return {}; }
    void want_guide(bool) {}
    void forget() { function_ = nb::none(); }

private:
    PythonGraph& graph_;
    nb::object function_;  // None: blind
    HeuristicProperties properties_;
};

class PythonStateSpace final : public StateSpace {
public:
    PythonStateSpace(nb::object task, nb::object heuristic);
    ~PythonStateSpace() override { living().erase(this); }

    // A task's class refers to its module, whose names may refer to a graph that was explored, and so to this object
    // and back to the task. Python cannot see through native objects, so such a circle is broken when the interpreter
    // ends.
    static void forget_all();

    SearchResult search(const SearchRequest& request) override;
    ExploredGraph explore(const std::string& heuristic, std::size_t max_states, Budget& watch) override {
        const nb::gil_scoped_acquire gil;
        return fsplan::explore(graph_, heuristic.empty() ? nullptr : &heuristic_, max_states, watch);
    }
    std::string state_name(std::span<const std::int32_t> values) const override;
    std::size_t action_count() const override { return graph_.action_count(); }
    std::string action_name(ActionId action) const override;
    std::size_t width() const override { return 1; }
    std::vector<std::int32_t> domain_sizes() const override { return {}; }
    std::vector<std::int32_t> start_values() override { return {static_cast<std::int32_t>(graph_.start())}; }
    std::size_t bytes_per_state() const override { return sizeof(PythonGraph::State); }
    HeuristicInfos heuristics() const override { return {&kInfo}; }
    PythonGraph& graph() { return graph_; }

private:
    static std::set<PythonStateSpace*>& living();

    static constexpr HeuristicInfo kInfo{
        .name = "task", .summary = "the function that was given with the task", .properties = {.admissible = true}};

    PythonGraph graph_;
    PythonHeuristic heuristic_;
};

}  // namespace fsplan
