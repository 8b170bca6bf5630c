// Bindings of the grounder: it takes a lifted task in flat lists and returns a ground task.
#include "bind/parts.hpp"
#include "encode/encode.hpp"
#include "instantiate/instantiate.hpp"
#include "lifted/lifted_task.hpp"
#include "spaces/lifted_state_space.hpp"

namespace fsplan {

namespace {

using Words = std::vector<std::int32_t>;

// Reads a lifted task in the format that pddl/lifted_words.py writes.
class WordReader {
public:
    explicit WordReader(const Words& words) : words_(words) {}

    std::int32_t next() { return words_.at(position_++); }
    bool at_end() const { return position_ == words_.size(); }

    template <class Item>
    auto list(Item item) {
        std::vector<decltype(item())> items;
        for (auto count = next(); count > 0; --count) items.push_back(item());
        return items;
    }

    Words numbers() {
        return list([this] { return next(); });
    }

    lifted::Literal literal() {
        auto predicate = next();
        auto negated = next() != 0;
        return {predicate, negated, numbers()};
    }

    std::vector<lifted::Literal> literals() {
        return list([this] { return literal(); });
    }

    std::vector<lifted::Formula> formulas() {
        return list([this] { return formula(); });
    }

    lifted::Effect effect() {
        lifted::Effect effect;
        effect.first_variable = next();
        effect.types = numbers();
        effect.condition = literals();
        effect.constraints = formulas();
        effect.literal = literal();
        return effect;
    }

    lifted::Schema schema(std::string name) {
        lifted::Schema schema;
        schema.name = std::move(name);
        schema.shown_parameters = next();
        schema.types = numbers();
        schema.precondition = literals();
        schema.constraints = formulas();
        schema.effects = list([this] { return effect(); });
        schema.cost = list([this] {
            auto function = next();
            auto constant = next();
            return lifted::CostTerm{function, constant, numbers()};
        });
        return schema;
    }

    lifted::Rule rule() {
        lifted::Rule rule;
        rule.types = numbers();
        rule.body = literals();
        rule.constraints = formulas();
        rule.head = literal();
        return rule;
    }

private:
    lifted::Formula formula() {
        using Kind = lifted::Formula::Kind;
        lifted::Formula formula{static_cast<Kind>(next()), {}, 0, {}, {}};
        switch (formula.kind) {
            case Kind::literal: formula.literal = literal(); break;
            case Kind::conjunction:
            case Kind::disjunction: formula.parts = formulas(); break;
            case Kind::forall:
            case Kind::exists:
                formula.first_variable = next();
                formula.types = numbers();
                formula.parts.push_back(this->formula());
                break;
        }
        return formula;
    }

    const Words& words_;
    std::size_t position_ = 0;
};

std::int32_t number_of(PyObject* numbers, PyObject* name) {
    PyObject* number = PyDict_GetItemWithError(numbers, name);
    if (!number) throw std::invalid_argument("a name that was not declared");
    return static_cast<std::int32_t>(PyLong_AsLong(number));
}

// Appends the numbers of the objects in a tuple (predicate or function, object, object, …).
void append_arguments(PyObject* tuple, PyObject* objects, Words& row) {
    for (Py_ssize_t i = 1; i < PyTuple_Size(tuple); ++i) row.push_back(number_of(objects, PyTuple_GetItem(tuple, i)));
}

lifted::Task make_lifted(std::vector<std::string> objects, std::vector<Words> types,
                         const std::vector<std::tuple<std::string, int, bool, bool>>& predicates,
                         const std::vector<std::pair<std::string, int>>& functions,
                         const std::vector<std::string>& names, const Words& words, bool use_costs) {
    lifted::Task task;
    task.objects = std::move(objects);
    task.objects_of_type = std::move(types);
    for (const auto& [name, arity, fluent, derived] : predicates)
        task.predicates.push_back({name, arity, fluent, derived});
    task.init.resize(predicates.size());
    for (const auto& [name, arity] : functions) {
        task.functions.push_back(name);
        task.function_arity.push_back(arity);
    }
    task.function_values.resize(functions.size());
    task.use_costs = use_costs;
    WordReader reader(words);
    std::size_t schema = 0;
    task.schemas = reader.list([&] { return reader.schema(names.at(schema++)); });
    task.rules = reader.list([&] { return reader.rule(); });
    task.goal = reader.literals();
    task.goal_constraints = reader.formulas();
    if (!reader.at_end()) throw std::invalid_argument("words left over behind the goal");
    return task;
}

// Adds facts of the initial state, given as tuples (predicate, object, …); the dictionaries map names to numbers.
void add_facts(lifted::Task& task, const nb::list& facts, const nb::dict& predicates, const nb::dict& objects) {
    for (auto fact : facts) {
        auto predicate = number_of(predicates.ptr(), PyTuple_GetItem(fact.ptr(), 0));
        auto& rows = task.init.at(static_cast<std::size_t>(predicate)).rows;
        append_arguments(fact.ptr(), objects.ptr(), rows);
        // A nullary fact has no arguments to append, so a single 0 marks it as true.
        if (task.predicates[static_cast<std::size_t>(predicate)].arity == 0) rows.assign(1, 0);
    }
}

// Adds the initial values of functions, given as a dictionary {(function, object, …): value}.
void add_values(lifted::Task& task, const nb::dict& values, const nb::dict& functions, const nb::dict& objects) {
    for (auto [term, value] : values) {
        auto function = number_of(functions.ptr(), PyTuple_GetItem(term.ptr(), 0));
        auto& rows = task.function_values.at(static_cast<std::size_t>(function)).rows;
        append_arguments(term.ptr(), objects.ptr(), rows);
        rows.push_back(nb::cast<std::int32_t>(value));
    }
}

// The instantiated task with names, for tests that compare it with the output of other grounders.
struct Instantiated {
    std::vector<std::string> atoms;                         // "on(a, b)"
    std::vector<std::string> actions;                       // "stack a b"
    std::vector<std::vector<std::uint32_t>> preconditions;  // as literals: 2a is atom a, 2a + 1 its negation
    std::vector<std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>> effects;  // (literal, condition)
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> rules;                 // pairs (head atom, body)
    propositional::Task task;
};

std::vector<std::uint32_t> row(const Rows& rows, std::size_t number) {
    return {rows[number].begin(), rows[number].end()};
}

Instantiated instantiated(lifted::Task& lifted) {
    Budget watch;
    Instantiated result;
    auto& task = result.task = instantiate(lifted, watch);
    for (std::size_t atom = 0; atom < task.atom.size(); ++atom) {
        auto name = lifted.predicates[task.atom[atom][0]].name + '(';
        for (auto object : task.atom[atom].subspan(1))
            name += (name.back() == '(' ? "" : ", ") + lifted.objects[object];
        result.atoms.push_back(name + ')');
    }
    for (std::size_t action = 0; action < task.action_atom.size(); ++action) {
        auto name = lifted.schemas[task.action_atom[action][0]].name;
        for (auto object : task.action_atom[action].subspan(1)) name += ' ' + lifted.objects[object];
        result.actions.push_back(name);
        result.preconditions.push_back(row(task.precondition, action));
        auto& effects = result.effects.emplace_back();
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e)
            effects.emplace_back(task.effect[e], row(task.effect_condition, e));
    }
    for (std::size_t rule = 0; rule < task.rule_head.size(); ++rule)
        result.rules.emplace_back(task.rule_head[rule], row(task.rule_body, rule));
    return result;
}

GroundTask ground(lifted::Task& task, double seconds, std::size_t memory_bytes, bool mutex_groups, bool only_relevant,
                  std::size_t most_actions) {
    Budget watch(seconds, memory_bytes, signal_raised);
    return within_limits(
        [&] {
            auto instantiated = instantiate(task, watch, most_actions);
            watch.look();
            return encode(task, instantiated, watch, {mutex_groups, only_relevant});
        },
        " to ground the task");
}

void make_lifted_space(LiftedStateSpace* self, lifted::Task task, double seconds, std::size_t memory_bytes,
                       bool merge_twins) {
    const Budget watch(seconds, memory_bytes, signal_raised);
    within_limits(
        [&] {
            new (self) LiftedStateSpace(std::move(task), watch, merge_twins);
            return true;
        },
        " to find the atoms of the task");
}

}  // namespace

void bind_ground(nb::module_& module) {
    nb::exception<TooManyActions>(module, "TooManyActions", PyExc_ValueError);
    nb::exception<UnsupportedLifted>(module, "UnsupportedLifted", PyExc_ValueError);
    nb::class_<lifted::Task>(module, "LiftedTask")
        .def(
            "__init__",
            [](lifted::Task* self, std::vector<std::string> objects, std::vector<Words> types,
               const std::vector<std::tuple<std::string, int, bool, bool>>& predicates,
               const std::vector<std::pair<std::string, int>>& functions, const std::vector<std::string>& names,
               const Words& words, bool use_costs) {
                new (self) lifted::Task(
                    make_lifted(std::move(objects), std::move(types), predicates, functions, names, words, use_costs));
            },
            nb::arg("objects"), nb::arg("types"), nb::arg("predicates"), nb::arg("functions"), nb::arg("names"),
            nb::arg("words"), nb::arg("use_costs"))
        .def("add_facts", add_facts, nb::arg("facts"), nb::arg("predicates"), nb::arg("objects"))
        .def("add_values", add_values, nb::arg("values"), nb::arg("functions"), nb::arg("objects"));
    nb::class_<Instantiated>(module, "Instantiated", "The task over atoms, before variables are made of them.")
        .def_ro("atoms", &Instantiated::atoms)
        .def_ro("actions", &Instantiated::actions)
        .def_ro("preconditions", &Instantiated::preconditions)
        .def_ro("effects", &Instantiated::effects)
        .def_ro("rules", &Instantiated::rules)
        .def_prop_ro("costs", [](const Instantiated& self) { return self.task.cost; })
        .def_prop_ro("initial", [](const Instantiated& self) { return self.task.initial; })
        .def_prop_ro("goal", [](const Instantiated& self) { return self.task.goal; })
        .def_prop_ro("goal_reachable", [](const Instantiated& self) { return self.task.goal_reachable; });
    nb::class_<LiftedStateSpace, StateSpace>(module, "LiftedStateSpace", "A task whose actions are not grounded.")
        .def("__init__", &make_lifted_space, nb::arg("task"), nb::arg("seconds") = 0.0, nb::arg("memory_bytes") = 0,
             nb::kw_only(), nb::arg("merge_twins") = true,
             "With merge_twins, a state has only one of the actions that swaps of interchangeable objects map to each "
             "other.")
        .def_prop_ro("task", &LiftedStateSpace::task, nb::rv_policy::reference_internal,
                     "the atoms of the task, and the actions that have been generated so far");
    module.def("instantiate", instantiated, nb::arg("task"));
    module.def("ground", ground, nb::arg("task"), nb::arg("seconds") = 0.0, nb::arg("memory_bytes") = 0, nb::kw_only(),
               nb::arg("mutex_groups") = true, nb::arg("only_relevant") = true,
               nb::arg("most_actions") = std::numeric_limits<std::size_t>::max(),
               "Without mutex_groups every atom is a variable; without only_relevant, those that the goal does not "
               "need, too. Raises TooManyActions if more than most_actions are reachable.");
}

}  // namespace fsplan
