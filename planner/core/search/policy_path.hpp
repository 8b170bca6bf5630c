// What the policy says of the path to a node, for searches by likelihood.
#pragma once

#include <cstdint>

namespace fsplan {

struct PolicyPath {
    double log_likelihood = 0;
    std::int32_t states = 1;

    PolicyPath extended(double log_probability) const { return {log_likelihood + log_probability, states + 1}; }
};

}  // namespace fsplan
