// What remains of conditions once their static parts are decided: disjunctions of conjunctions of ground literals.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "instantiate/program.hpp"
#include "instantiate/propositional.hpp"

namespace fsplan {

using Conjunction = std::vector<propositional::Literal>;  // ascending
using Alternatives = std::vector<Conjunction>;            // none: false; the empty conjunction: true

inline bool contains(const Conjunction& conjunction, propositional::Literal literal) {
    return std::binary_search(conjunction.begin(), conjunction.end(), literal);
}

// Holds an atom and its negation.
bool contradictory(const Conjunction& conjunction);

// Sorts, and drops what another alternative implies.
void minimise(Alternatives& alternatives);

class Residual {
public:
    // Names a disjunction by a derived atom; called where multiplying it out would give too many alternatives.
    using Name = std::function<std::uint32_t(const Alternatives&)>;
    using AtomOf = std::vector<std::vector<std::uint32_t>>;  // predicate, row of its relation -> atom

    static constexpr std::size_t kMostAlternatives = 32;
    static constexpr propositional::Literal kTrue = ~propositional::Literal{0};
    static constexpr propositional::Literal kFalse = kTrue - 1;

    Residual(Program& program, const AtomOf& atom_of, Name name)
        : program_(program), atom_of_(atom_of), name_(std::move(name)) {}

    // A literal of a live predicate; kTrue or kFalse where its atom is never reached.
    propositional::Literal ground(const LiveLiteral& literal, const Object* binding);

    // The condition's literals where its query holds for the binding; false if they contradict each other.
    bool literals(const Condition& condition, const Object* binding, Conjunction& result);

    // What remains of the whole condition where its query holds for the binding.
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
