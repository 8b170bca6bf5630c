// A policy written in Python: scores(states, actions) -> one list of log-probabilities per state. States are tuples of
// integers and actions their numbers; for a Python task both are the task's own objects. Attributes `well_defined`,
// `shares_ties` and `gives_values` are the answers of the methods is_well_defined(), shares_ties() and gives_values().
#pragma once

#include <nanobind/nanobind.h>

#include "bind/python_graph.hpp"
#include "contract/policy.hpp"

namespace fsplan {

// Throws if the score is NaN or above 0, because then it is no log-probability: searches would treat a positive score,
// such as a probability or a logit, as probability 1.
float log_probability(double score);

class PythonPolicy final : public Policy {
public:
    // Borrows the policy, which the caller keeps alive. space is null for native tasks.
    PythonPolicy(nb::handle policy, PythonStateSpace* space);

    void score(const PolicyBatch& batch) override;
    std::size_t preferred_batch() const override { return batch_; }
    bool is_well_defined() const override { return well_defined_; }
    bool shares_ties() const override { return shares_ties_; }
    bool gives_values() const override { return gives_values_; }

private:
    nb::object state(const PolicyBatch& batch, std::size_t index) const;
    nb::object action(ActionId action) const;
    void read(const PolicyBatch& batch, std::size_t index, nb::handle row) const;

    nb::handle policy_;
    PythonStateSpace* space_;
    std::size_t batch_ = 1;
    bool well_defined_;
    bool shares_ties_;
    bool gives_values_;
};

}  // namespace fsplan
