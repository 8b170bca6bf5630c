// Bindings of domain policies: describing a task, making training examples, fitting weights, and scoring actions.
#include "base/names.hpp"
#include "bind/arrays.hpp"
#include "bind/parts.hpp"
#include "policies/relational/fit.hpp"
#include "policies/relational/relational_policy.hpp"
#include "spaces/ground_state_space.hpp"
#include "spaces/lifted_state_space.hpp"

namespace fsplan {

namespace {

using relational::Block;
using relational::Description;
using relational::Fitted;
using relational::GuidedRelationalPolicy;
using relational::Hash;
using relational::LabelledFeatures;
using relational::LiftedRelationalPolicy;
using relational::PolicyWeights;

Description make_description(const std::vector<std::tuple<std::string, std::string, bool>>& objects,
                             std::vector<std::vector<std::string>> initial,
                             const std::vector<std::pair<std::vector<std::string>, bool>>& goals) {
    Description description;
    for (const auto& [name, type, constant] : objects) description.objects.push_back({name, type, constant});
    description.initial = std::move(initial);
    for (const auto& [atom, wanted] : goals) description.goals.push_back({atom, wanted});
    return description;
}

// Makes the labelled states of a batch; throws if the arrays do not match the task.
relational::LabelledStates labelled(const GroundTask& task, const Values& values, const Column<std::uint32_t>& begin,
                                    const Column<std::uint32_t>& actions, const Column<std::uint8_t>& optimal) {
    const std::size_t states = values.shape(0), edges = actions.shape(0);
    if (values.shape(1) != task.variable_count()) throw std::invalid_argument("one value per variable is needed");
    if (optimal.shape(0) != edges) throw std::invalid_argument("actions and optimal need an entry per edge");
    check_edges(begin, states, edges);
    for (std::size_t i = 0; i < states; ++i)
        for (std::size_t variable = 0; variable < values.shape(1); ++variable)
            if (values(i, variable) < 0 || values(i, variable) >= task.domain_size[variable])
                throw std::invalid_argument("no such value");
    for (std::size_t edge = 0; edge < edges; ++edge)
        if (actions(edge) >= task.action_count()) throw std::invalid_argument("no such action");
    return {states, values.shape(1), values.data(), begin.data(), actions.data(), optimal.data()};
}

LabelledFeatures label_features(const GroundStateSpace& space, const Description& description, const Values& values,
                                const Column<std::uint32_t>& begin, const Column<std::uint32_t>& actions,
                                const Column<std::uint8_t>& optimal, bool successors) {
    const auto states = labelled(space.task(), values, begin, actions, optimal);
    const nb::gil_scoped_release released;
    const relational::Structure structure(space.task(), description);
    return relational::label_features(structure, states, successors);
}

// Labelled features as a tuple of arrays, for pickling: the workers of a cluster exchange them in this form.
using FeaturesState = std::tuple<Array<std::uint32_t>, Array<float>, Array<float>, Array<std::uint64_t>, Array<Hash>>;

FeaturesState state_of(const LabelledFeatures& self) {
    const auto copy = [](auto numbers) { return to_array(std::move(numbers)); };
    return {copy(self.states), copy(self.actions), copy(self.optimal), copy(self.rows), copy(self.features)};
}

void make_from_state(
    LabelledFeatures& self,
    const std::tuple<Column<std::uint32_t>, Column<float>, Column<float>, Column<std::uint64_t>, Column<Hash>>& state) {
    const auto copy = [](const auto& column) { return std::vector(column.data(), column.data() + column.shape(0)); };
    const auto& [states, actions, optimal, rows, features] = state;
    new (&self) LabelledFeatures{copy(states), copy(actions), copy(optimal), copy(rows), copy(features)};
}

constexpr std::array<std::string_view, relational::kBlocks> kBlockNames{"colours", "plan", "context", "guides"};

Block block_named(const std::string& name) {
    return static_cast<Block>(chosen("block of features", name, kBlockNames));
}

Fitted fit(const std::vector<const LabelledFeatures*>& tasks, const std::vector<std::string>& blocks, double l2,
           std::size_t least_tasks, std::size_t most_steps, double seconds) {
    relational::FitOptions options{{}, l2, least_tasks, most_steps};
    for (const std::string& block : blocks) options.blocks.push_back(block_named(block));
    Budget watch(seconds, 0, signal_raised);
    return within_limits([&] { return relational::fit(tasks, options, watch); }, " to fit weights");
}

PolicyWeights weights_in(const nb::bytes& features, const nb::bytes& weights, const nb::bytes& first_weights) {
    return {numbers_in<Hash>(features), numbers_in<float>(weights), numbers_in<float>(first_weights)};
}

void make_policy(GuidedRelationalPolicy* self, const GroundStateSpace& space, const Description& description,
                 const nb::bytes& features, const nb::bytes& weights, const nb::bytes& first_weights) {
    new (self) GuidedRelationalPolicy(space.task(), description, weights_in(features, weights, first_weights));
}

void make_lifted_policy(LiftedRelationalPolicy* self, const LiftedStateSpace& space, const Description& description,
                        const nb::bytes& features, const nb::bytes& weights, const nb::bytes& first_weights) {
    new (self) LiftedRelationalPolicy(space.task(), description, weights_in(features, weights, first_weights),
                                      space.costs_differ());
}

std::size_t count_recalled(GuidedRelationalPolicy& self, const Values& values, const Column<std::uint32_t>& begin,
                           const Column<std::uint32_t>& actions) {
    check_edges(begin, values.shape(0), actions.shape(0));
    std::vector<float> scores(actions.shape(0));
    return self.count_recalled({.size = values.shape(0),
                                .width = values.shape(1),
                                .values = values.data(),
                                .edges_begin = begin.data(),
                                .actions = actions.data(),
                                .costs = nullptr,
                                .guides = nullptr,
                                .helpful = nullptr,
                                .log_probabilities = scores.data()});
}

// Whether the bytes are hashes of features in strictly ascending order.
bool are_features(const nb::bytes& data) {
    const auto hashes = numbers_in<Hash>(data);
    return std::ranges::adjacent_find(hashes, std::greater_equal<>()) == hashes.end();
}

// Lists the features of all edges (labelled_features.hpp), for tests and for other learning algorithms.
std::pair<Array<std::uint64_t>, Array<Hash>> list_features(const GroundStateSpace& space,
                                                           const Description& description, const Values& values,
                                                           const Column<std::uint32_t>& begin,
                                                           const Column<std::uint32_t>& actions) {
    const std::vector<std::uint8_t> optimal(actions.shape(0));
    const std::size_t shape[] = {optimal.size()};
    const auto states =
        labelled(space.task(), values, begin, actions, Column<std::uint8_t>(optimal.data(), 1, shape, nb::handle()));
    auto [rows, features] = relational::list_features(relational::Structure(space.task(), description), states);
    return {to_array(std::move(rows)), to_array(std::move(features))};
}

}  // namespace

void bind_relational(nb::module_& module) {
    module.attr("FEATURE_VERSION") = relational::kFeatureVersion;
    nb::class_<Description>(module, "RelationalDescription", "Objects, initial atoms and goals of a PDDL problem.")
        .def(
            "__init__",
            [](Description* self, const std::vector<std::tuple<std::string, std::string, bool>>& objects,
               std::vector<std::vector<std::string>> initial,
               const std::vector<std::pair<std::vector<std::string>, bool>>& goals) {
                new (self) Description(make_description(objects, std::move(initial), goals));
            },
            "objects"_a, "initial"_a, "goals"_a);
    nb::class_<LabelledFeatures>(module, "LabelledFeatures", "Labelled states of one task, as features.")
        .def(
            "__init__",
            [](LabelledFeatures* self, const GroundStateSpace& space, const Description& description,
               const Values& values, const Column<std::uint32_t>& begin, const Column<std::uint32_t>& actions,
               const Column<std::uint8_t>& optimal, bool successors) {
                new (self)
                    LabelledFeatures(label_features(space, description, values, begin, actions, optimal, successors));
            },
            "space"_a, "description"_a, "values"_a, "edges_begin"_a, "actions"_a, "optimal"_a, "successors"_a = true)
        .def("__len__", &LabelledFeatures::state_count)
        .def("__getstate__", &state_of)
        .def("__setstate__", &make_from_state)
        .def(
            "first_choices",
            [](const LabelledFeatures& self, const Column<std::uint64_t>& features, const Column<float>& weights,
               const Column<float>& first_weights) {
                return to_array(relational::first_choices(self, items(features), items(weights), items(first_weights)));
            },
            "features"_a, "weights"_a, "first_weights"_a,
            "For every state the chance that the best action is optimal.");
    nb::class_<Fitted>(module, "FittedWeights")
        .def_prop_ro(
            "features", [](const Fitted& self) { return to_array(std::vector<Hash>(self.features)); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "weights", [](const Fitted& self) { return to_array(std::vector<float>(self.weights)); },
            nb::rv_policy::automatic)
        .def_ro("loss", &Fitted::loss)
        .def_ro("steps", &Fitted::steps);
    module.def("fit_relational", &fit, "tasks"_a, nb::kw_only(), "blocks"_a, "l2"_a = 1e-4, "least_tasks"_a = 2,
               "most_steps"_a = 300, "seconds"_a = 0.0);
    module.def("relational_features", &list_features, "space"_a, "description"_a, "values"_a, "edges_begin"_a,
               "actions"_a, "(where each edge's features begin, the features of all edges)");
    module.def("are_features", &are_features, "data"_a);
    nb::class_<LiftedRelationalPolicy, Policy>(module, "LiftedRelationalPolicy", "For tasks that were not grounded.")
        .def("__init__", &make_lifted_policy, "space"_a, "description"_a, "features"_a, "weights"_a,
             "first_weights"_a = nb::bytes("", 0), nb::keep_alive<1, 2>());
    module.def(
        "reads_relaxed_plans",
        [](const nb::bytes& features, const nb::bytes& weights) {
            return relational::reads_relaxed_plans(numbers_in<Hash>(features), numbers_in<float>(weights));
        },
        "features"_a, "weights"_a, "Whether a feature of relaxed plans has a weight other than 0.");
    nb::class_<GuidedRelationalPolicy, Policy>(module, "LinearRelationalPolicy")
        .def("__init__", &make_policy, "space"_a, "description"_a, "features"_a, "weights"_a,
             "first_weights"_a = nb::bytes("", 0), nb::keep_alive<1, 2>())
        .def_prop_ro("bytes", &GuidedRelationalPolicy::bytes)
        .def("count_recalled", &count_recalled, "values"_a, "edges_begin"_a, "actions"_a,
             "The number of states whose best action is on the shortlist.");
}

}  // namespace fsplan
