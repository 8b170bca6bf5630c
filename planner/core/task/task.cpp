#include "task/task.hpp"

namespace fsplan {

std::string GroundTask::action_name(std::size_t action) const {
    std::string name;
    for (auto symbol : action_atom[action]) {
        if (!name.empty()) name += ' ';
        name += symbols[symbol];
    }
    return name;
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
