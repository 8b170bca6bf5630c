// What the parts of the instantiation share: the reached relations, the numbers of atoms, the task that grows.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "instantiate/program.hpp"
#include "instantiate/propositional.hpp"
#include "instantiate/residual.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

struct GroundRule {
    std::uint32_t head;
    Conjunction body;
    auto operator<=>(const GroundRule&) const = default;
};

class Instantiation {
public:
    Instantiation(lifted::Task& task, WorkWatch& watch)
        : task(task), program(task, watch), residual(program, atom_of, [this](const auto& parts) { return name(parts); }) {}

    // Numbers the reached atoms by predicate, then arguments, and says which hold initially.
    void number_atoms();
    // A derived atom that holds where one of the alternatives does.
    std::uint32_t name(const Alternatives& alternatives);

    lifted::Task& task;
    Program program;
    std::vector<std::vector<std::uint32_t>> atom_of;  // predicate, row -> atom
    Residual residual;
    propositional::Task result;
    std::vector<GroundRule> rules;

private:
    void number_atoms(std::int32_t predicate);
    void add_initial(std::int32_t predicate);

    std::size_t choices_ = 0;
};

// Appends the actions that are instances of the schemas, and drops those instances.
void emit_actions(Instantiation& instantiation);

// Appends the goal and the rules, both simplified.
void emit_goal_and_rules(Instantiation& instantiation);

}  // namespace fsplan
