#include <algorithm>
#include <stdexcept>

#include "encode/simplify.hpp"

namespace fsplan {

// The layer of a head is at least that of each variable in the body, and greater if the body requires the default
// value.
void stratify(GroundTask& task) {
    auto variable_of = variables_of_facts(task);
    std::int32_t derived = 0;
    for (auto& layer : task.layer)
        if (layer >= 0) layer = 0, ++derived;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t rule = 0; rule < task.rule_head.size(); ++rule) {
            auto head = variable_of[task.rule_head[rule]];
            auto needed = task.layer[head];
            for (auto fact : task.rule_body[rule]) {
                auto variable = variable_of[fact];
                if (task.layer[variable] < 0) continue;
                bool is_default = fact == task.first_fact[variable] + static_cast<FactId>(task.initial[variable]);
                needed = std::max(needed, task.layer[variable] + is_default);
            }
            if (needed > derived) throw std::invalid_argument("a derived predicate depends on its own negation");
            changed |= needed != task.layer[head];
            task.layer[head] = needed;
        }
    }
}

}  // namespace fsplan
