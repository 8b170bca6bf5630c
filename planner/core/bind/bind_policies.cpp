#include "base/names.hpp"
#include "bind/arrays.hpp"
#include "bind/parts.hpp"
#include "bind/python_policy.hpp"
#include "net/mlp_policy.hpp"
#include "policies/synthetic.hpp"
#include "spaces/explore.hpp"

namespace fsplan {
namespace {

// `layers` holds a pair (weight, bias) per layer: little-endian 32-bit floats in torch.nn.Linear's layout.
net::Mlp make_network(const nb::list& layers, std::size_t inputs, const std::string& instruction_set) {
    std::vector<net::Dense> dense;
    for (const nb::handle item : layers) {
        const nb::tuple pair = nb::cast<nb::tuple>(item);
        net::Dense layer{inputs, 0, numbers_in<float>(nb::cast<nb::bytes>(pair[0])),
                         numbers_in<float>(nb::cast<nb::bytes>(pair[1]))};
        layer.outputs = layer.bias.size();
        inputs = layer.outputs;
        dense.push_back(std::move(layer));
    }
    return {dense, net::kernels(instruction_set)};
}

Encoding make_encoding(const std::vector<std::int32_t>& domain_sizes, const std::vector<std::int64_t>& inputs) {
    Encoding encoding = Encoding::one_hot(domain_sizes);
    if (inputs.empty()) return encoding;
    if (inputs.size() != encoding.input.size())
        throw std::invalid_argument("the encoding needs an entry for every value");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] >= kNoInput) throw std::invalid_argument("an input number is too large");
        encoding.input[i] = inputs[i] < 0 ? kNoInput : static_cast<std::uint32_t>(inputs[i]);
    }
    return encoding;
}

// Base class of Python policies that work on arrays. Subclasses define score_arrays(values, edges_begin, actions),
// which returns one log-probability per edge. This takes one Python call per batch and no Python object per edge.
class ArrayPolicy final : public Policy {
public:
    explicit ArrayPolicy(std::size_t batch) : batch_(batch) {
        if (batch == 0) throw std::invalid_argument("a batch has at least one state");
    }

    std::size_t preferred_batch() const override { return batch_; }
    void score(const PolicyBatch& batch) override {
        const nb::gil_scoped_acquire gil;
        const std::size_t edges = batch.edges_begin[batch.size];
        const nb::object self = nb::find(this);
        const nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<2>> values(batch.values, {batch.size, batch.width},
                                                                             nb::handle());
        const nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>> begin(batch.edges_begin, {batch.size + 1},
                                                                             nb::handle());
        const nb::ndarray<nb::numpy, const ActionId, nb::ndim<1>> actions(batch.actions, {edges}, nb::handle());
        const nb::object answer = interruptible([&] { return self.attr("score_arrays")(values, begin, actions); });
        Column<float> scores;
        if (!nb::try_cast(answer, scores) || scores.shape(0) != edges) {
            throw nb::value_error(("score_arrays must return " + std::to_string(edges) + " 32-bit floats").c_str());
        }
        std::transform(scores.data(), scores.data() + edges, batch.log_probabilities, log_probability);
    }

private:
    std::size_t batch_;
};

// Names of the values of enumerations, in the order of the enumerations.
constexpr std::array<std::string_view, 3> kReadings{"log-probabilities", "ranks", "first-choice"};
constexpr std::array<std::string_view, 3> kDistributions{"normal", "uniform", "exponential"};
constexpr std::array<std::string_view, 2> kSupports{"all", "applicable"};

template <class T>
const T* per_edge(const std::optional<Column<T>>& column, std::size_t edges) {
    if (!column) return nullptr;
    if (column->shape(0) != edges)
        throw std::invalid_argument("costs, guides, helpful and heuristics need an entry per edge");
    return column->data();
}

Array<float> score(Policy& policy, const Values& values, const Column<std::uint32_t>& begin,
                   const Column<std::uint32_t>& actions, const std::string& reading,
                   const std::optional<Column<Cost>>& costs, const std::optional<Column<Cost>>& guides,
                   const std::optional<Column<std::uint8_t>>& helpful, const std::optional<Column<Cost>>& heuristics) {
    const std::size_t edges = actions.shape(0);
    check_edges(begin, values.shape(0), edges);
    if (policy.needs_guide() && !(guides && helpful && heuristics))
        throw std::invalid_argument("this policy reads guides, helpful actions and heuristic values");
    std::vector<float> out(edges);
    const std::vector<Cost> ones(costs ? 0 : edges, 1);
    policy.score({values.shape(0), values.shape(1), values.data(), begin.data(), actions.data(),
                  costs ? per_edge(costs, edges) : ones.data(), per_edge(guides, edges), per_edge(helpful, edges),
                  out.data(), per_edge(heuristics, edges),
                  static_cast<Reading>(chosen("reading", reading, kReadings))});
    return to_array(std::move(out));
}

SyntheticOptions make_options(double accuracy, const std::string& distribution, double scale, bool shared,
                              const std::string& support, bool masked, std::uint64_t seed) {
    return {accuracy,
            static_cast<Distribution>(chosen("distribution", distribution, kDistributions)),
            scale,
            shared,
            static_cast<Support>(chosen("support", support, kSupports)),
            masked,
            seed};
}

struct GraphArrays {
    Values values;
    Column<std::uint32_t> begin, actions, targets;
    Column<std::int32_t> costs, distance;
    Column<std::uint8_t> is_goal;

    GraphView view(std::size_t action_count) const {
        const std::size_t states = values.shape(0), edges = actions.shape(0);
        check_edges(begin, states, edges);
        if (targets.shape(0) != edges || costs.shape(0) != edges || distance.shape(0) != states ||
            is_goal.shape(0) != states) {
            throw std::invalid_argument("the arrays of a graph need an entry for every edge, or for every state");
        }
        for (std::size_t e = 0; e < edges; ++e) {
            if (targets(e) >= states || actions(e) >= action_count)
                throw std::invalid_argument("an edge leaves the graph");
        }
        return {states, begin.data(), actions.data(), targets.data(), costs.data(), distance.data(), is_goal.data()};
    }
};

std::span<const float> by_state(const std::optional<Column<float>>& accuracies, std::size_t states) {
    if (!accuracies) return {};
    if (accuracies->shape(0) != states) throw std::invalid_argument("accuracies need one entry per state");
    return {accuracies->data(), states};
}

void make_synthetic(SyntheticPolicy* self, const Values& values, const Column<std::uint32_t>& begin,
                    const Column<std::uint32_t>& actions, const Column<std::uint32_t>& targets,
                    const Column<std::int32_t>& costs, const Column<std::int32_t>& distance,
                    const Column<std::uint8_t>& is_goal, const std::vector<std::int32_t>& domain_sizes,
                    std::size_t action_count, double accuracy, const std::string& distribution, double scale,
                    bool shared, const std::string& support, bool masked, std::uint64_t seed,
                    const std::optional<Column<float>>& accuracies) {
    const GraphArrays arrays{values, begin, actions, targets, costs, distance, is_goal};
    const GraphView graph = arrays.view(action_count);
    const std::size_t width = values.shape(1);
    if (width != domain_sizes.size()) throw std::invalid_argument("states and domains differ in width");
    new (self) SyntheticPolicy(graph, domain_sizes, action_count,
                               make_options(accuracy, distribution, scale, shared, support, masked, seed),
                               by_state(accuracies, graph.states), [&](StateId state, std::span<std::int32_t> out) {
                                   std::copy_n(values.data() + state * width, width, out.data());
                               });
}

void make_synthetic_of_graph(SyntheticPolicy* self, const ExploredGraph& graph,
                             const std::vector<std::int32_t>& domain_sizes, std::size_t action_count, double accuracy,
                             const std::string& distribution, double scale, bool shared, const std::string& support,
                             bool masked, std::uint64_t seed, const std::optional<Column<float>>& accuracies) {
    if (domain_sizes.size() != graph.width) throw std::invalid_argument("states and domains differ in width");
    const GraphView view{graph.size(),      graph.edges_begin.data(), graph.action.data(), graph.target.data(),
                         graph.cost.data(), graph.h_star.data(),      graph.goal.data()};
    new (self) SyntheticPolicy(view, domain_sizes, action_count,
                               make_options(accuracy, distribution, scale, shared, support, masked, seed),
                               by_state(accuracies, graph.size()), graph.values);
}

}  // namespace

void bind_policies(nb::module_& module) {
    module.def("instruction_sets", &net::instruction_sets);
    module.def("all_finite", [](const nb::bytes& data) { return all_finite(numbers_in<float>(data)); });
    module.def(
        "policy_scores", &score, nb::arg("policy"), nb::arg("values"), nb::arg("edges_begin"), nb::arg("actions"),
        nb::arg("reading") = "log-probabilities", nb::arg("costs") = nb::none(), nb::arg("guides") = nb::none(),
        nb::arg("helpful") = nb::none(), nb::arg("heuristics") = nb::none(),
        "log-probabilities of the actions of a batch of states; reading \"ranks\" or \"first-choice\": numbers in the "
        "same order, or with the same greatest one");
    nb::class_<ArrayPolicy, Policy>(module, "ArrayPolicy").def(nb::init<std::size_t>(), nb::arg("batch"));
    nb::class_<MlpPolicy, Policy>(module, "MlpPolicy")
        .def(
            "__init__",
            [](MlpPolicy* self, const nb::list& layers, std::size_t inputs,
               const std::vector<std::int32_t>& domain_sizes, const std::vector<std::int64_t>& encoding, bool masked,
               const std::string& instruction_set) {
                new (self) MlpPolicy(make_network(layers, inputs, instruction_set),
                                     make_encoding(domain_sizes, encoding), masked);
            },
            nb::arg("layers"), nb::arg("inputs"), nb::arg("domain_sizes"),
            nb::arg("encoding") = std::vector<std::int64_t>{}, nb::arg("masked") = true,
            nb::arg("instruction_set") = "")
        .def_prop_ro("inputs", [](const MlpPolicy& self) { return self.network().inputs(); })
        .def_prop_ro("outputs", [](const MlpPolicy& self) { return self.network().outputs(); })
        .def_prop_ro("parameters", [](const MlpPolicy& self) { return self.network().parameters(); })
        .def_prop_ro("masked", &MlpPolicy::masked)
        .def_prop_ro("instruction_set", [](const MlpPolicy& self) { return self.network().instruction_set(); });
    nb::class_<SyntheticPolicy, Policy>(module, "SyntheticPolicy")
        .def("__init__", &make_synthetic, nb::arg("values"), nb::arg("edges_begin"), nb::arg("actions"),
             nb::arg("targets"), nb::arg("costs"), nb::arg("distance"), nb::arg("is_goal"), nb::arg("domain_sizes"),
             nb::arg("action_count"), nb::arg("accuracy"), nb::arg("distribution") = "normal", nb::arg("scale") = 1.0,
             nb::arg("shared") = true, nb::arg("support") = "all", nb::arg("masked") = true, nb::arg("seed") = 0,
             nb::arg("accuracies") = nb::none())
        .def("__init__", &make_synthetic_of_graph, nb::arg("graph"), nb::arg("domain_sizes"), nb::arg("action_count"),
             nb::arg("accuracy"), nb::arg("distribution") = "normal", nb::arg("scale") = 1.0, nb::arg("shared") = true,
             nb::arg("support") = "all", nb::arg("masked") = true, nb::arg("seed") = 0,
             nb::arg("accuracies") = nb::none())
        .def_prop_ro(
            "accuracy",
            [](const SyntheticPolicy& self) {
                const MeasuredAccuracy& measured = self.measured();
                const std::uint64_t right = self.options().masked ? measured.masked : measured.literal;
                return measured.states == 0 ? 1.0 : static_cast<double>(right) / static_cast<double>(measured.states);
            })
        .def_prop_ro("states", &SyntheticPolicy::size)
        .def_prop_ro("bytes", &SyntheticPolicy::bytes)
        .def_prop_ro("decisions", [](const SyntheticPolicy& self) { return self.measured().states; })
        .def_prop_ro("literal_correct", [](const SyntheticPolicy& self) { return self.measured().literal; })
        .def_prop_ro("masked_correct", [](const SyntheticPolicy& self) { return self.measured().masked; })
        .def(
            "scores",
            [](SyntheticPolicy& self, std::size_t applicable) {
                const std::span<const float> scores = self.shared_scores(applicable);
                return std::vector<float>(scores.begin(), scores.end());
            },
            nb::arg("applicable"), "log y_1, log y_2, … of states with this number of applicable actions");
}

}  // namespace fsplan
