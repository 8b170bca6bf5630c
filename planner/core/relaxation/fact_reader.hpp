// Lists the facts of the relaxation that hold in a packed state, without derived facts: the relaxation reaches these by
// rules of cost 0.
#pragma once

#include "relaxation/relaxation.hpp"
#include "task/layout.hpp"

namespace fsplan {

class FactReader {
public:
    FactReader(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : fact_of_(relaxation.fact_of) {
        for (std::size_t v = 0; v < task.variable_count(); ++v) {
            auto first = fact_of_.begin() + task.first_fact[v], last = fact_of_.begin() + task.first_fact[v + 1];
            bool relevant = std::any_of(first, last, [](auto fact) { return fact != kIrrelevant; });
            if (task.layer[v] < 0 && relevant) variables_.push_back({layout.field[v], task.first_fact[v]});
        }
    }

    void read(const Word* state, std::vector<std::uint32_t>& facts) const {
        facts.clear();
        for (const auto& [field, first] : variables_) {
            auto fact = fact_of_[first + field.get(state)];
            if (fact != kIrrelevant) facts.push_back(fact);
        }
    }

    // The facts that read() lists, as a bit set. sets[f] contains only the fact of the relaxation that corresponds to
    // fact f of the task; it is empty if there is none.
    template <class Set>
    Set read_set(const Word* state, const std::vector<Set>& sets) const {
        Set facts;
        for (const auto& [field, first] : variables_) facts |= sets[first + field.get(state)];
        return facts;
    }

private:
    struct Variable {
        PackedField field;
        std::uint32_t first;  // number of the variable's first fact
    };

    std::vector<Variable> variables_;
    std::vector<std::uint32_t> fact_of_;
};

}  // namespace fsplan
