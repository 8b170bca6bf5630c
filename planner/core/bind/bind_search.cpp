#include "bind/parts.hpp"
#include "bind/python_graph.hpp"
#include "bind/python_policy.hpp"
#include "contract/incumbents.hpp"
#include "explicit/explicit_graph.hpp"
#include "policies/untrained.hpp"
#include "search/order.hpp"
#include "spaces/by_heuristic.hpp"
#include "spaces/state_space.hpp"

namespace fsplan {

namespace {

// Runs pending signal handlers. Returns false after Ctrl-C: the search then ends and reports its plan and bound. Any
// other exception of a signal handler is passed on.
bool check_signals() {
    if (PyErr_CheckSignals() == 0) return true;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw nb::python_error();
    PyErr_Clear();
    return false;
}

// The callbacks hold borrowed references: the caller keeps the Python objects alive during the whole search.
void set_progress(SearchRequest& request, nb::handle callback) {
    request.on_progress = [callback](const Progress& progress) {
        const nb::gil_scoped_acquire gil;
        if (!check_signals()) return false;
        if (callback.is_none()) return true;
        try {
            const nb::object answer = interruptible([&] { return callback(progress); });
            return !answer.is(nb::handle(Py_False));
        } catch (const LimitReached& reached) {
            return reached.limit == Limit::time;  // true: the search goes on to its own time check; false means Ctrl-C
        }
    };
}
void set_incumbent(SearchRequest& request, nb::handle callback) {
    if (callback.is_none()) return;
    request.on_incumbent = [callback](const Incumbent& found) {
        const nb::gil_scoped_acquire gil;
        interruptible([&] { return callback(found); });
    };
}
void set_expansion(SearchRequest& request, nb::handle callback) {
    if (callback.is_none()) return;
    request.on_expansion = [callback](const Expansion& expansion) {
        const nb::gil_scoped_acquire gil;
        interruptible([&] { return callback(expansion); });
    };
}
void set_order(SearchRequest& request, nb::handle order) {
    if (order.is_none()) return;
    request.order = &CustomOrder::info;
    request.custom_order = [order](const OrderStep& step) {
        const nb::gil_scoped_acquire gil;
        double value = 0;
        if (!nb::try_cast(interruptible([&] { return order(step); }), value))
            throw nb::type_error("an order gives a number for every step");
        return value;
    };
}
// function(values) takes a state's values as a tuple and returns a cost; None or infinity marks a dead end.
void set_heuristic(SearchRequest& request, nb::handle function) {
    if (function.is_none()) return;
    const auto evaluate = [function](std::span<const std::int32_t> values) {
        const nb::gil_scoped_acquire gil;
        return cost_to_go(interruptible([&] { return function(tuple_of(values)); }));
    };
    request.custom_heuristic = CustomHeuristic{evaluate, counts_as_admissible(function)};
}
void set_policy(SearchRequest& request, nb::handle policy, StateSpace& space) {
    if (policy.is_none()) return;
    if (nb::isinstance<Policy>(policy)) {
        request.policy = nb::cast<std::shared_ptr<Policy>>(policy);
    } else {
        request.policy = std::make_shared<PythonPolicy>(policy, dynamic_cast<PythonStateSpace*>(&space));
    }
}

// A Python object that runs a search in slices. It keeps the search's callbacks alive.
struct SlicedSearch {
    StateSpace& space;
    nb::object on_progress, on_incumbent;
    std::unique_ptr<SearchInProgress> search;

    bool run_for(std::uint64_t work) {
        const ExclusiveUse guard(space);
        const nb::gil_scoped_release released;
        return search->run_for(work);
    }
    SearchResult finish() { return search->finish(); }
};

std::unique_ptr<SlicedSearch> start(StateSpace& space, const SearchOptions& options, nb::object policy,
                                    std::shared_ptr<Incumbents> incumbents, nb::object on_progress,
                                    nb::object on_incumbent, bool ends_without_memory) {
    SearchRequest request;
    static_cast<SearchOptions&>(request) = options;
    request.incumbents = std::move(incumbents);
    request.ends_without_memory = ends_without_memory;
    set_policy(request, policy, space);
    set_progress(request, on_progress);
    set_incumbent(request, on_incumbent);
    const std::shared_ptr<Policy> kept = request.policy;  // Python objects must not be destroyed without the GIL
    return std::make_unique<SlicedSearch>(
        SlicedSearch{space, on_progress, on_incumbent, [&] {
                         const ExclusiveUse guard(space);
                         const nb::gil_scoped_release released;  // constructing a heuristic may take seconds
                         return space.start(std::move(request));
                     }()});
}

SearchResult search(StateSpace& space, const SearchOptions& options, nb::object policy, nb::object order,
                    nb::object heuristic, nb::object on_progress, nb::object on_incumbent, nb::object on_expansion,
                    Cost known_bound, std::optional<std::pair<std::vector<ActionId>, Cost>> known_plan,
                    std::vector<double> accuracy_profile) {
    SearchRequest request;
    static_cast<SearchOptions&>(request) = options;
    if (options.search == nullptr) throw nb::value_error("the options name no search");
    request.known_bound = known_bound;
    if (known_plan) request.known_plan = Incumbent{known_plan->first, known_plan->second, known_bound};
    request.accuracy_profile = std::move(accuracy_profile);
    set_order(request, order);
    set_heuristic(request, heuristic);
    set_policy(request, policy, space);
    set_progress(request, on_progress);
    set_incumbent(request, on_incumbent);
    set_expansion(request, on_expansion);
    const ExclusiveUse guard(space);
    const nb::gil_scoped_release released;
    return space.search(request);
}

std::vector<std::tuple<ActionId, Cost, std::vector<std::int32_t>>> successors(StateSpace& space,
                                                                              const std::vector<std::int32_t>& values) {
    const ExclusiveUse guard(space);
    std::vector<std::tuple<ActionId, Cost, std::vector<std::int32_t>>> found;
    for (Successor& successor : space.successors(values))
        found.emplace_back(successor.action, successor.cost, std::move(successor.values));
    return found;
}

nb::tuple evaluate(StateSpace& space, const std::string& heuristic, const std::vector<std::int32_t>& values) {
    const ExclusiveUse guard(space);
    auto [value, helpful] = space.evaluate(heuristic, values);
    return nb::make_tuple(finite(value.h), finite(value.guide), helpful);
}

bool is_goal(StateSpace& space, const std::vector<std::int32_t>& values) {
    const ExclusiveUse guard(space);
    return space.is_goal(values);
}

std::vector<std::pair<std::int64_t, std::vector<std::int32_t>>> execute(StateSpace& space,
                                                                        const std::vector<std::string>& steps) {
    const ExclusiveUse guard(space);
    std::vector<std::pair<std::int64_t, std::vector<std::int32_t>>> ends;
    for (Reached& reached : space.execute(steps)) ends.emplace_back(reached.cost, std::move(reached.values));
    return ends;
}

/// Calls the Python function `how`, which returns the text that represents a policy.
std::string described(nb::handle policy, const char* how) {
    return nb::cast<std::string>(nb::module_::import_("fsplan.planner.policies.representation").attr(how)(policy));
}

void bind_simple_policies(nb::module_& module) {
    nb::class_<Policy>(module, "Policy")
        .def("needs_guide", &Policy::needs_guide)
        .def("is_well_defined", &Policy::is_well_defined, "whether actions that are not applicable have probability 0")
        .def("preferred_batch", &Policy::preferred_batch)
        .def("__repr__", [](nb::handle self) { return described(self, "policy_repr"); })
        .def("_repr_html_", [](nb::handle self) { return described(self, "policy_html"); });
    nb::class_<UniformPolicy, Policy>(module, "UniformPolicy").def(nb::init<>());
    nb::class_<RelaxedPlanPolicy, Policy>(module, "RelaxedPlanPolicy").def(nb::init<>());
    nb::class_<HeuristicPolicy, Policy>(module, "HeuristicPolicy",
                                        "A native heuristic as a policy: the lower h, the better.")
        .def(nb::init<StateSpace&, const std::string&>(), nb::arg("state_space"), nb::arg("heuristic"),
             nb::keep_alive<1, 2>());
    nb::class_<TablePolicy, Policy>(module, "TablePolicy")
        .def(nb::init<std::vector<float>, std::size_t, std::size_t>(), nb::arg("table"), nb::arg("actions"),
             nb::arg("batch") = 1);
}

using EdgeTuple = nb::typed<nb::tuple, std::uint32_t, ActionId, Cost, std::uint32_t>;

ExplicitStateSpace make_explicit(std::size_t states, std::size_t actions, std::uint32_t start,
                                 const std::vector<std::uint32_t>& goals, const std::vector<EdgeTuple>& edges,
                                 std::vector<std::optional<Cost>> h, std::vector<std::optional<Cost>> guides,
                                 std::vector<std::vector<ActionId>> helpful, bool admissible) {
    std::vector<bool> is_goal(states, false);
    for (const std::uint32_t goal : goals) is_goal.at(goal) = true;
    std::vector<ExplicitEdge> list;
    list.reserve(edges.size());
    for (const EdgeTuple& edge : edges)
        list.push_back({nb::cast<std::uint32_t>(edge[0]), nb::cast<ActionId>(edge[1]), nb::cast<Cost>(edge[2]),
                        nb::cast<std::uint32_t>(edge[3])});
    const auto costs = [](const std::vector<std::optional<Cost>>& values) {
        std::vector<Cost> out;
        for (const auto& value : values) out.push_back(value.value_or(kDeadEnd));
        return out;
    };
    std::vector<Cost> table = h.empty() ? std::vector<Cost>(states, 0) : costs(h);
    if (table.size() != states) throw std::invalid_argument("as many h as states are needed");
    return {ExplicitGraph(states, actions, start, std::move(is_goal), std::move(list)),
            HeuristicTable(std::move(table), costs(guides), std::move(helpful), {.admissible = admissible})};
}

void bind_state_spaces(nb::module_& module) {
    nb::class_<SlicedSearch>(module, "SlicedSearch")
        .def("run_for", &SlicedSearch::run_for, nb::arg("work"),
             "runs for this much work (contract/request.hpp), or until it finds a better plan; False: the search has "
             "ended")
        .def_prop_ro(
            "work", [](const SlicedSearch& sliced) { return sliced.search->work(); }, "what has been done so far")
        .def("finish", &SlicedSearch::finish, "to be called once");
    nb::class_<StateSpace>(module, "StateSpace")
        .def("__repr__",
             [](nb::handle self) {
                 const auto& space = nb::cast<const StateSpace&>(self);
                 const auto text = nb::str("<{}: {} actions, {} bytes per state>");
                 return text.format(self.type().attr("__name__"), space.action_count(), space.bytes_per_state());
             })
        .def("search", &search, nb::arg("options"), nb::kw_only(), nb::arg("policy") = nb::none(),
             nb::arg("order") = nb::none(), nb::arg("heuristic") = nb::none(), nb::arg("on_progress") = nb::none(),
             nb::arg("on_incumbent") = nb::none(), nb::arg("on_expansion") = nb::none(), nb::arg("known_bound") = 0,
             nb::arg("known_plan") = nb::none(), nb::arg("accuracy_profile") = std::vector<double>(),
             "order and heuristic are functions instead of names; known_plan has action numbers and cost; "
             "accuracy_profile is the policy's, by distance to the goal")
        .def("start", &start, nb::arg("options"), nb::kw_only(), nb::arg("policy") = nb::none(), nb::arg("incumbents"),
             nb::arg("on_progress") = nb::none(), nb::arg("on_incumbent") = nb::none(),
             nb::arg("ends_without_memory") = false, nb::keep_alive<0, 1>(),
             "the search in slices, with plans and bounds shared through `incumbents`")
        .def("action_count", &StateSpace::action_count)
        .def("action_name", &StateSpace::action_name)
        .def("width", &StateSpace::width)
        .def("domain_sizes", &StateSpace::domain_sizes)
        .def("start_values", [](StateSpace& self) { return ExclusiveUse(self), self.start_values(); })
        .def("successors", &successors, nb::arg("values"), "(action, cost, values) of every applicable action")
        .def("is_goal", &is_goal, nb::arg("values"))
        .def("evaluate", &evaluate, nb::arg("heuristic"), nb::arg("values"),
             "(h, guide, helpful actions) of the state with these values; None for a dead end")
        .def("execute", &execute, nb::arg("steps"),
             "(cost, values) of every state that these steps, named in order, lead to; ValueError where one is not "
             "applicable")
        .def(
            "at", [](StateSpace& self, const std::vector<std::int32_t>& values) { return self.at(values); },
            nb::arg("values"), nb::keep_alive<0, 1>(), "the same graph from another start")
        .def("identity", &StateSpace::identity, "equal for state spaces that differ in nothing but the start")
        .def("bytes_per_state", &StateSpace::bytes_per_state)
        .def(
            "heuristics",
            [](const StateSpace& self) {
                std::vector<std::string> names;
                for (const HeuristicInfo* info : self.heuristics()) names.emplace_back(info->name);
                return names;
            },
            "names of the heuristics that search() accepts, the default first")
        .def(
            "is_expensive",
            [](const StateSpace& self, const std::string& heuristic) {
                const HeuristicInfos infos = self.heuristics();
                return std::ranges::any_of(infos,
                                           [&](auto* info) { return info->expensive && info->name == heuristic; });
            },
            nb::arg("heuristic"))
        .def(
            "strongest_heuristic", [](const StateSpace& self) { return strongest_heuristic(self.heuristics()).name; },
            "the strongest admissible heuristic that needs no files");
    nb::class_<ExplicitStateSpace, StateSpace>(module, "ExplicitStateSpace")
        .def(
            "__init__",
            [](ExplicitStateSpace* self, std::size_t states, std::size_t actions, std::uint32_t start,
               const std::vector<std::uint32_t>& goals, const std::vector<EdgeTuple>& edges,
               std::vector<std::optional<Cost>> h, std::vector<std::optional<Cost>> guides,
               std::vector<std::vector<ActionId>> helpful, bool admissible) {
                new (self) ExplicitStateSpace(make_explicit(states, actions, start, goals, edges, std::move(h),
                                                            std::move(guides), std::move(helpful), admissible));
            },
            nb::arg("states"), nb::arg("actions"), nb::arg("start"), nb::arg("goals"), nb::arg("edges"),
            nb::arg("h") = std::vector<std::optional<Cost>>(), nb::arg("guides") = std::vector<std::optional<Cost>>(),
            nb::arg("helpful") = std::vector<std::vector<ActionId>>(), nb::arg("admissible") = true);
    nb::class_<PythonStateSpace, StateSpace>(module, "PythonStateSpace")
        .def(nb::init<nb::object, nb::object>(), nb::arg("task"), nb::arg("heuristic").none())
        .def(
            "state", [](PythonStateSpace& self, std::uint32_t number) { return self.graph().state(number); },
            nb::arg("number"), "the state with this number, by the order in which states were first seen")
        .def(
            "action", [](PythonStateSpace& self, ActionId number) { return self.graph().action(number); },
            nb::arg("number"));
}

}  // namespace

PyObject* out_of_time = nullptr;

void bind_search(nb::module_& module) {
    out_of_time = PyErr_NewException("fsplan.planner._core.OutOfTime", PyExc_BaseException, nullptr);
    if (out_of_time == nullptr) throw nb::python_error();
    module.attr("OutOfTime") = nb::handle(out_of_time);
    module.def("is_in_user_code", &UserCode::is_running,
               "Whether this thread runs Python code of the user in the middle of a search.");
    bind_simple_policies(module);
    bind_state_spaces(module);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&PythonStateSpace::forget_all));
    module.def("discrepancy_ratio", &discrepancy_ratio, nb::arg("accuracy"), nb::arg("alpha"),
               "Disc-1's price of a step along the policy, a step against it costing 1.");
}

}  // namespace fsplan
