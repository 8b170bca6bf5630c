#include "bind/python_policy.hpp"

namespace fsplan {

float log_probability(double score) {
    constexpr double kRounding = 1e-3;
    if (std::isnan(score))
        throw nb::value_error("a policy's score is NaN: return log p, or log_softmax of finite logits");
    if (score > kRounding)
        throw nb::value_error(("a policy's scores are log-probabilities, at most 0, not " + std::to_string(score) +
                               ": return log p, or log_softmax of logits")
                                  .c_str());
    return static_cast<float>(score);
}

namespace {

bool says(nb::handle policy, const char* attribute) {
    return nb::cast<bool>(nb::bool_(nb::getattr(policy, attribute, nb::bool_(false))));
}

}  // namespace

PythonPolicy::PythonPolicy(nb::handle policy, PythonStateSpace* space)
    : policy_(policy), space_(space), well_defined_(says(policy, "well_defined")),
      shares_ties_(says(policy, "shares_ties")), gives_values_(says(policy, "gives_values")) {
    if (!nb::hasattr(policy, "scores")) throw nb::type_error("a policy needs a method scores(states, actions)");
    if (nb::hasattr(policy, "batch") && (!nb::try_cast(policy.attr("batch"), batch_) || batch_ == 0))
        throw nb::type_error("a policy's batch is a number of states, at least 1");
}

nb::object PythonPolicy::state(const PolicyBatch& batch, std::size_t index) const {
    const std::int32_t* values = batch.values + index * batch.width;
    if (space_ != nullptr) return nb::borrow(space_->graph().state(static_cast<std::uint32_t>(values[0])));
    return tuple_of({values, batch.width});
}

nb::object PythonPolicy::action(ActionId action) const {
    return space_ != nullptr ? nb::borrow(space_->graph().action(action)) : nb::object(nb::int_(action));
}

void PythonPolicy::score(const PolicyBatch& batch) {
    const nb::gil_scoped_acquire gil;
    nb::list states;
    nb::list actions;
    for (std::size_t i = 0; i < batch.size; ++i) {
        states.append(state(batch, i));
        nb::list applicable;
        for (std::size_t edge = batch.edges_begin[i]; edge < batch.edges_begin[i + 1]; ++edge)
            applicable.append(action(batch.actions[edge]));
        actions.append(applicable);
    }
    const nb::object answer = interruptible([&] { return policy_.attr("scores")(states, actions); });
    std::size_t index = 0;
    for (nb::handle row : answer) {
        if (index == batch.size) throw nb::value_error("the policy scored more states than it was given");
        read(batch, index++, row);
    }
    if (index != batch.size) throw nb::value_error("the policy scored fewer states than it was given");
}

void PythonPolicy::read(const PolicyBatch& batch, std::size_t index, nb::handle row) const {
    std::size_t edge = batch.edges_begin[index];
    const std::size_t end = batch.edges_begin[index + 1];
    for (nb::handle value : row) {
        if (edge == end) throw nb::value_error("the policy gave more scores than there are applicable actions");
        batch.log_probabilities[edge++] = log_probability(nb::cast<double>(nb::float_(nb::borrow(value))));
    }
    if (edge != end) throw nb::value_error("the policy gave fewer scores than there are applicable actions");
}

}  // namespace fsplan
