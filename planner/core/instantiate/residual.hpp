// Conditions after their static parts have been evaluated: disjunctions of conjunctions of ground literals.
#pragma once

#include "instantiate/program.hpp"
#include "instantiate/propositional.hpp"

namespace fsplan {

using Conjunction = std::vector<propositional::Literal>;  // ascending
using Alternatives = std::vector<Conjunction>;            // no conjunction means false; an empty conjunction means true

inline bool contains(const Conjunction& conjunction, propositional::Literal literal) {
    return std::ranges::binary_search(conjunction, literal);
}

// Whether the conjunction contains an atom and its negation.
bool contradictory(const Conjunction& conjunction);

// Sorts the alternatives and removes those that another alternative subsumes.
void minimise(Alternatives& alternatives);

class Residual {
public:
    // Returns a derived atom for a disjunction; called if multiplying it out would give too many alternatives.
    using Name = std::function<std::uint32_t(const Alternatives&)>;
    using AtomOf = std::vector<std::vector<std::uint32_t>>;  // predicate, row of its relation -> atom

    static constexpr std::size_t kMostAlternatives = 32;
    static constexpr propositional::Literal kTrue = ~propositional::Literal{0};
    static constexpr propositional::Literal kFalse = kTrue - 1;

    Residual(Program& program, const AtomOf& atom_of, Name name)
        : program_(program), atom_of_(atom_of), name_(std::move(name)) {}

    // The ground literal of a live predicate; kTrue or kFalse if its atom is unreachable.
    propositional::Literal ground(const LiveLiteral& literal, const Object* binding);

    // The live literals of the condition under a binding that satisfies its query; returns false if they cannot all hold.
    bool literals(const Condition& condition, const Object* binding, Conjunction& result);

    // The live literals and the constraints of the condition, simplified for a binding that satisfies its query.
    Alternatives of(const Condition& condition, Object* binding, std::size_t limit = kMostAlternatives);

private:
    class Product;
    Alternatives of(const Constraint& constraint, Object* binding);
    Alternatives all_of(const Constraint& constraint, Object* binding);
    Alternatives any_of(const Constraint& constraint, Object* binding);
    Alternatives of_literal(const LiveLiteral& literal, const Object* binding);
    void multiply(Alternatives& alternatives, Alternatives factors);

    Program& program_;
    const AtomOf& atom_of_;
    Name name_;
    std::map<Alternatives, std::uint32_t> named_;
    std::size_t limit_ = kMostAlternatives;
};

}  // namespace fsplan
