// Action schemas as the search for invariants sees them: what each add effect implies, worked out once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ground/lifted.hpp"
#include "ground/propositional.hpp"

namespace fsplan::invariants {

using lifted::Literal;
using lifted::Term;
using TermPair = std::pair<Term, Term>;

// The arguments of a predicate that are a candidate's parameters, in the order of these, and the one that is counted.
class Part {
public:
    static constexpr std::size_t kMostParameters = 10;

    std::int32_t predicate = 0;

    bool operator==(const Part&) const = default;
    std::size_t size() const { return size_; }
    std::size_t operator[](std::size_t parameter) const { return position_[parameter]; }
    bool counts() const { return counted_ != kNothing; }
    std::size_t counted() const { return counted_; }
    bool uses(std::size_t position) const {
        return std::find(position_.begin(), position_.begin() + size_, position) != position_.begin() + size_;
    }

    void push(std::size_t position) { position_[size_++] = static_cast<std::uint8_t>(position); }
    void pop() { position_[--size_] = 0; }
    void count(std::size_t position) { counted_ = static_cast<std::uint8_t>(position); }

private:
    static constexpr std::uint8_t kNothing = 255;
    std::uint8_t counted_ = kNothing;
    std::uint8_t size_ = 0;
    std::array<std::uint8_t, kMostParameters> position_{};
};

// The parts of a candidate, one for a predicate at most.
class Parts {
public:
    explicit Parts(std::size_t predicates) : slot_(predicates, kAbsent) {}

    void add(const Part& part) {
        slot_[static_cast<std::size_t>(part.predicate)] = static_cast<std::int32_t>(parts_.size());
        parts_.push_back(part);
    }
    const Part* find(std::int32_t predicate) const {
        auto slot = predicate < 0 ? kAbsent : slot_[static_cast<std::size_t>(predicate)];
        return slot == kAbsent ? nullptr : &parts_[static_cast<std::size_t>(slot)];
    }
    const std::vector<Part>& all() const { return parts_; }

private:
    static constexpr std::int32_t kAbsent = -1;
    std::vector<Part> parts_;
    std::vector<std::int32_t> slot_;  // per predicate
};

// A candidate with terms for its parameters; at most one of its atoms is true before an action.
struct Instance {
    const Parts& parts;
    std::vector<Term> parameters;
};

// Appends the parts that would put an atom with these arguments into the instance, if its predicate has no part there.
void find_parts(std::span<const Term> arguments, std::int32_t predicate, const Instance& instance, std::vector<Part>& parts);

// What the operators need to know of predicates and types.
class World {
public:
    World(const lifted::Task& lifted, const propositional::Task& task);

    bool changes(std::int32_t predicate) const { return predicate >= 0 && changes_[static_cast<std::size_t>(predicate)] != 0; }
    bool has(std::int32_t type, std::int32_t object) const { return member_[type][object] != 0; }
    bool disjoint(std::int32_t a, std::int32_t b) const { return shared(a, b) == 0; }
    bool contains(std::int32_t outer, std::int32_t inner) const { return shared(outer, inner) == size_[inner]; }
    // Every object that stands at this position of a reachable atom is of the type.
    bool covers(std::int32_t type, std::int32_t predicate, std::size_t position) const;

private:
    std::uint32_t shared(std::int32_t a, std::int32_t b) const {
        return shared_[static_cast<std::size_t>(a) * size_.size() + static_cast<std::size_t>(b)];
    }

    std::vector<std::uint8_t> changes_;                         // predicate -> actions change it, not rules
    std::vector<std::vector<std::uint8_t>> member_;             // type -> per object
    std::vector<std::uint32_t> size_;                           // per type
    std::vector<std::uint32_t> shared_;                         // pairs of types: number of common objects
    std::vector<std::vector<std::vector<std::uint8_t>>> seen_;  // predicate, position -> per object
};

// Atoms that are false after the action; kAnything stands for every object.
struct Cleared {
    static constexpr Term kAnything = INT32_MAX;
    std::int32_t predicate;
    std::vector<Term> arguments;
};

// Unless one of these effects adds the atom in the same moment.
struct Deleted {
    Literal atom;
    std::vector<std::size_t> unless;  // numbers of adds
};

// The lists say what follows when the effect happens and its atom was false before.
struct Add {
    Literal atom;
    std::vector<Literal> condition;
    bool second_copy = false;             // of a universal effect, with variables of its own
    std::vector<Deleted> deleted;         // atoms that were true and become false
    std::vector<Cleared> cleared;         // atoms that are false afterwards unless another effect adds them
};

class Operator {
public:
    // ever_equal: a square over the shown parameters, 1 where some reachable instance has equal arguments.
    Operator(const lifted::Schema& schema, const World& world, std::span<const std::uint8_t> ever_equal);

    const std::vector<Add>& adds() const { return adds_; }
    bool requires_atom(const Literal& atom) const;

    // Whether two effects can happen together, add different atoms of the instance, and the first of these atoms was
    // false before; with `second_is_new` the other one as well.
    bool both_add(const Add& first, const Add& second, const Instance& instance, bool second_is_new) const;
    bool surely_deletes(const Add& add, const Deleted& deleted, const Instance& instance) const;
    // Appends parts that would make a deletion that is not sure yet more so.
    void find_rivals(const Add& add, const Deleted& deleted, const Instance& instance, std::vector<Part>& parts) const;

private:
    struct Delete {
        Literal atom;
        std::vector<Literal> condition;
        Term first_variable;  // of the quantified ones, which end with end_variable
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
    std::vector<Term> meaning_;                  // schema variable -> the term it equals by the precondition
    std::vector<std::int32_t> type_of_;          // per variable, also the renamed ones of universal effects
    std::size_t schema_variables_;
    std::vector<std::uint8_t> unequal_;          // square over the schema variables
    std::vector<TermPair> unequal_to_object_;
    std::vector<Literal> precondition_;          // without equalities
    std::vector<Add> adds_;
    std::vector<Delete> deletes_;
};

}  // namespace fsplan::invariants
