// A policy written in Python. Its method scores(states, actions) returns one list of log-probabilities per state. States are
// tuples of integers and actions their numbers; for a Python task both are the task's own objects. Its attributes `well_defined`,
// `shares_ties` and `gives_values` are returned by is_well_defined(), shares_ties() and gives_values().
#pragma once

#include <nanobind/nanobind.h>

#include "bind/python_graph.hpp"
#include "contract/policy.hpp"

namespace fsplan {

// Throws if the score is NaN or above 0, because such a score is no log-probability: searches would treat a positive
// score, such as a probability or a logit, as probability 1.
inline float log_probability(double score) {
    constexpr double kRounding = 1e-3;
    if (std::isnan(score))
        throw nb::value_error("a policy's score is NaN: return log p, or log_softmax of finite logits");
    if (score > kRounding)
        throw nb::value_error(("a policy's scores are log-probabilities, at most 0, not " + std::to_string(score) +
                               ": return log p, or log_softmax of logits")
                                  .c_str());
    return static_cast<float>(score);
}

inline bool says(nb::handle policy, const char* attribute) {
    return nb::cast<bool>(nb::bool_(nb::getattr(policy, attribute, nb::bool_(false))));
}

class PythonPolicy final : public Policy {
public:
    // Holds a borrowed reference to the policy, which the caller keeps alive. space is null for native tasks.
    PythonPolicy(nb::handle policy, PythonStateSpace* space)
        : policy_(policy), space_(space), well_defined_(says(policy, "well_defined")),
          shares_ties_(says(policy, "shares_ties")), gives_values_(says(policy, "gives_values")) {
        if (!nb::hasattr(policy, "scores")) throw nb::type_error("a policy needs a method scores(states, actions)");
        if (nb::hasattr(policy, "batch") && (!nb::try_cast(policy.attr("batch"), batch_) || batch_ == 0))
            throw nb::type_error("a policy's batch is a number of states, at least 1");
    }

    void score(const PolicyBatch& batch) override {
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
    std::size_t preferred_batch() const override { return batch_; }
    bool is_well_defined() const override { return well_defined_; }
    bool shares_ties() const override { return shares_ties_; }
    bool gives_values() const override { return gives_values_; }

private:
    nb::object state(const PolicyBatch& batch, std::size_t index) const {
        const std::int32_t* values = batch.values + index * batch.width;
        if (space_ != nullptr) return nb::borrow(space_->graph().state(static_cast<std::uint32_t>(values[0])));
        return tuple_of({values, batch.width});
    }
    nb::object action(ActionId action) const {
        return space_ != nullptr ? nb::borrow(space_->graph().action(action)) : nb::object(nb::int_(action));
    }
    void read(const PolicyBatch& batch, std::size_t index, nb::handle row) const {
        std::size_t edge = batch.edges_begin[index];
        const std::size_t end = batch.edges_begin[index + 1];
        for (nb::handle value : row) {
            if (edge == end) throw nb::value_error("the policy gave more scores than there are applicable actions");
            batch.log_probabilities[edge++] = log_probability(nb::cast<double>(nb::float_(nb::borrow(value))));
        }
        if (edge != end) throw nb::value_error("the policy gave fewer scores than there are applicable actions");
    }

    nb::handle policy_;
    PythonStateSpace* space_;
    std::size_t batch_ = 1;
    bool well_defined_;
    bool shares_ties_;
    bool gives_values_;
};

}  // namespace fsplan
