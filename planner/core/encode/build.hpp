// Builds and checks a ground task from plain lists; Python and the reader of .sas files use it.
#pragma once

#include "task/task.hpp"

namespace fsplan {

using VariableValue = std::pair<std::int32_t, std::int32_t>;
using ValueList = std::vector<VariableValue>;
using EffectLists = std::vector<std::pair<VariableValue, ValueList>>;

struct TaskLists {
    std::vector<std::int32_t> domain_size;
    std::vector<std::int32_t> layer;
    std::vector<std::int32_t> initial;
    // "Atom on(a, b)" or "NegatedAtom clear(a)"; any other text means "none of those".
    std::vector<std::string> fact_names;
    std::vector<std::string> action_names;  // "stack a b"
    std::vector<ValueList> preconditions;
    std::vector<EffectLists> effects;
    std::vector<Cost> costs;
    EffectLists rules;
    ValueList goal;
    bool unit_cost = true;
};

// Throws std::invalid_argument with a message that names the illegal part of the lists.
GroundTask build_task(const TaskLists& lists);

}  // namespace fsplan
