// A policy written in Python: scores(states, actions) -> one list of log-probabilities per state. States are tuples of
// integers and actions their numbers; for a Python task both are the task's own objects.
#pragma once

#include <nanobind/nanobind.h>

#include "bind/python_graph.hpp"
#include "policy.hpp"

namespace fsplan {

// Refuses what cannot be one: probabilities and logits would all count as certain.
float log_probability(double score);

class PythonPolicy final : public Policy {
public:
    // Borrows the policy, which the caller keeps alive. space is null for native tasks.
    PythonPolicy(nb::handle policy, PythonStateSpace* space);

    void score(const PolicyBatch& batch) override;
    std::size_t preferred_batch() const override { return batch_; }

private:
    nb::object state(const PolicyBatch& batch, std::size_t index) const;
    nb::object action(ActionId action) const;
    void read(const PolicyBatch& batch, std::size_t index, nb::handle row) const;

    nb::handle policy_;
    PythonStateSpace* space_;
    std::size_t batch_ = 1;
};

}  // namespace fsplan
