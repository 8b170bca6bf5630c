#include "ground/variables.hpp"

namespace fsplan {

namespace {

void add_variable(Variables& variables, std::span<const std::uint32_t> atoms) {
    auto variable = static_cast<std::uint32_t>(variables.members.size());
    std::uint32_t value = 0;
    for (auto atom : atoms) {
        variables.members.items.push_back(atom);
        variables.variable[atom] = variable;
        variables.value[atom] = value++;
    }
    variables.members.end_row();
}

}  // namespace

Variables choose_variables(const propositional::Task& task, const MutexGroups&) {
    Variables variables;
    variables.variable.resize(task.atom.size());
    variables.value.resize(task.atom.size());
    for (std::uint32_t atom = 0; atom < task.atom.size(); ++atom) add_variable(variables, std::span(&atom, 1));
    return variables;
}

}  // namespace fsplan
