// Action schemas for the synthesis of invariants. For each add effect, the atoms that are false afterwards are computed once.
#pragma once

#include "invariants/invariant_parts.hpp"
#include "invariants/invariant_world.hpp"

namespace fsplan::invariants {

using TermPair = std::pair<Term, Term>;

// A pattern of atoms that are false after the action; the argument kAnything matches every object.
struct Cleared {
    static constexpr Term kAnything = INT32_MAX;
    std::int32_t predicate;
    std::vector<Term> arguments;
};

// An atom that becomes false unless one of the effects `unless` adds it at the same time.
struct Deleted {
    Literal atom;
    std::vector<std::size_t> unless;  // indices of the add effects that may add the atom
};

// An add effect. `deleted` and `cleared` are valid if the effect happens and its atom was false before.
struct Add {
    Literal atom;
    std::vector<Literal> condition;
    bool second_copy = false;      // whether it is a copy of a universal effect, with renamed variables
    std::vector<Deleted> deleted;  // atoms that were true and become false
    std::vector<Cleared> cleared;  // atoms that are false afterwards unless another effect adds them
};

class Operator {
public:
    // ever_equal: matrix over pairs of the action's parameters; 1 if their arguments are equal in some reachable instance.
    Operator(const lifted::Schema& schema, const World& world, std::span<const std::uint8_t> ever_equal);

    const std::vector<Add>& adds() const { return adds_; }
    bool requires_atom(const Literal& atom) const;

    // Whether both effects can happen together and add different atoms of the instance, if the first one's atom was
    // false before the action. With `second_is_new` the second one's atom must have been false, too.
    bool both_add(const Add& first, const Add& second, const Instance& instance, bool second_is_new) const;
    bool surely_deletes(const Add& add, const Deleted& deleted, const Instance& instance) const;
    // Appends parts that may prove that the delete effect balances the add effect.
    void find_rivals(const Add& add, const Deleted& deleted, const Instance& instance, std::vector<Part>& parts) const;

private:
    struct Delete {
        Literal atom;
        std::vector<Literal> condition;
        Term first_variable;  // the quantified variables are first_variable to end_variable - 1
        Term end_variable;

        bool quantifies(Term term) const { return term >= first_variable && term < end_variable; }
    };
    class Unifier;

    void read_precondition(const lifted::Schema& schema, std::span<const std::uint8_t> ever_equal);
    void read_effect(const lifted::Effect& effect);
    Term new_variables(const lifted::Effect& effect);
    Literal renamed(const Literal& literal, const lifted::Effect& effect, Term first) const;
    std::vector<Literal> renamed_condition(const lifted::Effect& effect, Term first) const;
    bool distinct(Term a, Term b) const;
    void mark_unequal(Term a, Term b);

    void find_deleted(Add& add) const;
    void find_cleared(Add& add) const;
    bool deletes(const Delete& deletion, const Literal& atom, const Add& add) const;
    std::vector<std::size_t> possible_adders(const Literal& atom, const Add& add) const;
    bool crowded(const Unifier& unifier, const Add& first, const Add& second, const Instance& instance) const;
    bool entailed(const Literal& literal, const Add& add) const;
    bool consistent(const Unifier& unifier, const Add& first, const Add& second, bool second_is_new) const;

    const World& world_;
    std::vector<Term> meaning_;          // schema variable -> term to which the precondition sets it equal
    std::vector<std::int32_t> type_of_;  // variable -> its type; includes the renamed variables of universal effects
    std::size_t schema_variables_;
    std::vector<std::uint8_t> unequal_;  // matrix over pairs of schema variables: 1 if they are known to be different
    std::vector<TermPair> unequal_to_object_;
    std::vector<Literal> precondition_;  // the precondition without equalities
    std::vector<Add> adds_;
    std::vector<Delete> deletes_;
};

}  // namespace fsplan::invariants
