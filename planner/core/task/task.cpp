#include "task/task.hpp"

namespace fsplan {

Rows transpose(const Rows& rows, std::size_t items) {
    Rows result;
    result.begin.assign(items + 1, 0);
    for (auto item : rows.items) ++result.begin[item + 1];
    for (std::size_t i = 0; i < items; ++i) result.begin[i + 1] += result.begin[i];
    result.items.resize(rows.items.size());
    auto next = result.begin;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        for (auto item : rows[row]) result.items[next[item]++] = row;
    return result;
}

std::vector<std::uint32_t> variables_of_facts(const GroundTask& task) {
    std::vector<std::uint32_t> variable_of(task.fact_count());
    for (std::uint32_t v = 0; v < task.variable_count(); ++v)
        std::fill(variable_of.begin() + task.first_fact[v], variable_of.begin() + task.first_fact[v + 1], v);
    return variable_of;
}

std::string GroundTask::action_name(std::size_t action) const {
    std::string name;
    for (auto symbol : action_atom[action]) {
        if (!name.empty()) name += ' ';
        name += symbols[symbol];
    }
    return name;
}

bool GroundTask::is_named_atom(FactId fact) const {
    const auto atom = fact_atom[fact];
    return !fact_negated[fact] && !atom.empty() && symbols[atom[0]].find('@') == std::string::npos;
}

std::string GroundTask::fact_name(FactId fact) const {
    auto atom = fact_atom[fact];
    if (atom.empty()) return "none of those";
    std::string name = fact_negated[fact] ? "not " : "";
    name += symbols[atom[0]];
    name += '(';
    for (std::size_t i = 1; i < atom.size(); ++i) {
        if (i > 1) name += ", ";
        name += symbols[atom[i]];
    }
    return name + ')';
}

}  // namespace fsplan
