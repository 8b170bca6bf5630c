// Shared data of the instantiation: the reached relations, the numbers of atoms, and the ground task under
// construction.
#pragma once

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
    Instantiation(lifted::Task& task, Budget& watch)
        : task(task), program(task, watch),
          residual(program, atom_of, [this](const auto& parts) { return name(parts); }) {}

    // Numbers the reached atoms by predicate and arguments, and records which hold in the initial state.
    void number_atoms();
    // Adds a derived atom that is equivalent to the disjunction of the alternatives.
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

// Appends the ground actions of all schemas and frees the instances.
void emit_actions(Instantiation& instantiation);

// Appends the goal and the rules, both simplified.
void emit_goal_and_rules(Instantiation& instantiation);

}  // namespace fsplan
