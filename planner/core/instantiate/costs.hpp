// The static functions that action costs are read from.
#pragma once

#include "instantiate/propositional.hpp"
#include "instantiate/relation.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

class CostTables {
public:
    explicit CostTables(const lifted::Task& task) : task_(task) {
        for (std::size_t f = 0; f < task.function_arity.size(); ++f) {
            auto arity = static_cast<std::size_t>(task.function_arity[f]);
            const auto& rows = task.function_values[f].rows;
            tables_.emplace_back(Relation(arity, task.objects.size()), std::vector<std::int32_t>{});
            for (std::size_t i = 0; i < rows.size(); i += arity + 1)
                if (tables_[f].first.insert(rows.data() + i)) tables_[f].second.push_back(rows[i + arity]);
        }
    }

    // Throws std::invalid_argument if a function has no value for the arguments, or the cost is out of range.
    Cost of(const lifted::Schema& schema, const Object* arguments) const {
        if (!task_.use_costs) return 1;
        std::int64_t sum = 0;
        for (const auto& term : schema.cost) sum += value(term, arguments);
        if (sum < 0 || sum >= kDeadEnd)
            throw std::invalid_argument("the cost of action " + schema.name + " is out of range");
        return static_cast<Cost>(sum);
    }

private:
    std::int64_t value(const lifted::CostTerm& term, const Object* arguments) const {
        if (term.function < 0) return term.constant;
        std::vector<Object> row;
        for (auto argument : term.arguments) row.push_back(argument < 0 ? ~argument : arguments[argument]);
        const auto& [rows, values] = tables_[static_cast<std::size_t>(term.function)];
        auto found = rows.find(row.data());
        if (found != Relation::kNone) return values[found];
        std::string name = task_.functions[static_cast<std::size_t>(term.function)];
        for (auto object : row) name += ' ' + task_.objects[static_cast<std::size_t>(object)];
        throw std::invalid_argument("the cost (" + name + ") has no value");
    }

    const lifted::Task& task_;
    std::vector<std::pair<Relation, std::vector<std::int32_t>>> tables_;
};

}  // namespace fsplan
