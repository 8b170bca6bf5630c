// The static functions that action costs are read from.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "instantiate/propositional.hpp"
#include "instantiate/relation.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

class CostTables {
public:
    explicit CostTables(const lifted::Task& task);

    // Throws std::invalid_argument if a function has no value for the arguments, or the cost is out of range.
    Cost of(const lifted::Schema& schema, const Object* arguments) const;

private:
    std::int64_t value(const lifted::CostTerm& term, const Object* arguments) const;

    const lifted::Task& task_;
    std::vector<std::pair<Relation, std::vector<std::int32_t>>> tables_;
};

}  // namespace fsplan
