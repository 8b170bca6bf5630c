// A ground task as relations over its objects, the input of policies for whole domains.
//
// The variables of the ground task determine which of its atoms are true. Atoms that never change, and goals, come from
// the PDDL problem. A static atom is true in the initial state and has no variable: its predicate is static, or no
// reachable action deletes it, or it is irrelevant.
//
// Hashes depend only on names of the domain (predicates, schemas, types, constants), so renaming or permuting the
// objects of a problem has no effect.
#pragma once

#include "policies/relational/hashing.hpp"
#include "task/task.hpp"

namespace fsplan::relational {

using ObjectId = std::uint32_t;
using AtomId = std::uint32_t;

inline constexpr AtomId kNoAtom = 0xFFFFFFFF;

// Data of the PDDL problem that the ground task lacks. An atom is the name of its predicate, then the names of its
// objects.
struct Description {
    struct Object {
        std::string name;
        std::string type;
        bool constant;  // whether it is a constant of the domain, which has a colour of its own
    };
    struct Goal {
        std::vector<std::string> atom;
        bool wanted;  // false: the goal requires it to be false
    };
    std::vector<Object> objects;
    std::vector<std::vector<std::string>> initial;
    std::vector<Goal> goals;
};

enum class GoalKind : std::uint8_t { none, wanted, unwanted };
enum class AtomStatus : std::uint8_t { holds, holds_wanted, open_goal, holds_unwanted };
inline constexpr std::size_t kAtomStatuses = 4;

class Structure {
public:
    // The task must outlive the structure.
    Structure(const GroundTask& task, const Description& description);
    // Reads the actions that were appended to the task since the last call, or since construction.
    void read_new_actions();

    std::size_t object_count() const { return object_hash_.size(); }
    // Hash of the object's type, and of its name if it is a constant.
    Hash object_hash(ObjectId object) const { return object_hash_[object]; }

    std::size_t atom_count() const { return atom_predicate_.size(); }
    // The fluent atoms, those that have a variable, are numbered 0 … fluent_count() - 1.
    std::size_t fluent_count() const { return fluent_count_; }
    std::span<const ObjectId> objects(AtomId atom) const { return atom_objects_[atom]; }
    Hash predicate_hash(AtomId atom) const { return predicate_hash_[atom_predicate_[atom]]; }
    GoalKind goal_kind(AtomId atom) const { return atom_goal_[atom]; }
    Hash label(AtomId atom, AtomStatus status) const {
        return labels_[atom_predicate_[atom]][static_cast<std::size_t>(status)];
    }
    // All labels, ordered by predicate and status; label_number() is an index into this list.
    std::vector<Hash> labels() const;
    std::uint32_t label_number(AtomId atom, AtomStatus status) const {
        return static_cast<std::uint32_t>(atom_predicate_[atom] * kAtomStatuses + static_cast<std::size_t>(status));
    }
    AtomStatus status_if_true(AtomId atom) const;
    std::span<const AtomId> static_atoms() const { return static_atoms_; }
    std::span<const AtomId> goals() const { return goals_; }  // goals that are not static

    // The atom of a fact; kNoAtom for a negation and for "none of those".
    AtomId atom_of_fact(FactId fact) const { return atom_of_fact_[fact]; }
    std::uint32_t variable_of_fact(FactId fact) const { return variable_of_fact_[fact]; }

    Hash schema_hash(ActionId action) const { return hash_of_schema(schema_of_action_[action]); }
    Hash hash_of_schema(std::uint32_t schema) const { return schema_hash_[schema]; }
    std::uint32_t schema(ActionId action) const { return schema_of_action_[action]; }
    std::size_t schema_count() const { return schema_hash_.size(); }
    // Parameters are numbered schema by schema, each schema's from first_place on.
    std::uint32_t first_place(std::uint32_t schema) const { return first_place_[schema]; }
    std::size_t place_count() const { return place_hash_.size(); }
    Hash place_hash(std::uint32_t place) const { return place_hash_[place]; }
    std::size_t action_count() const { return schema_of_action_.size(); }
    std::span<const ObjectId> arguments(ActionId action) const { return arguments_[action]; }

    const GroundTask& task() const { return task_; }

private:
    using Numbers = std::unordered_map<std::string, std::uint32_t>;

    void number_objects(const Description& description);
    void read_facts();
    void read_static(const Description& description);
    void read_goals(const Description& description);
    std::uint32_t schema_of_symbol(std::uint32_t symbol, std::size_t arity);
    void set_goal(AtomId atom, GoalKind kind);
    AtomId atom_named(const std::vector<std::string>& names);
    AtomId add_atom(std::uint32_t predicate, std::span<const ObjectId> objects);
    std::uint32_t predicate_named(const std::string& name);
    ObjectId object_of_symbol(std::uint32_t symbol);

    const GroundTask& task_;
    Numbers object_numbers_, predicate_numbers_, schema_numbers_;
    std::vector<Hash> object_hash_, predicate_hash_, schema_hash_;
    std::vector<std::array<Hash, kAtomStatuses>> labels_;
    std::vector<std::uint32_t> atom_predicate_;
    std::size_t fluent_count_ = 0;
    Rows atom_objects_;
    std::vector<GoalKind> atom_goal_;
    std::vector<std::uint8_t> atom_static_;
    std::unordered_map<std::string, AtomId> atom_numbers_;  // key: bytes of predicate and objects
    std::vector<ObjectId> symbol_objects_;                  // symbol of the ground task -> object, set on first use
    std::vector<AtomId> static_atoms_, goals_, atom_of_fact_;
    std::vector<std::uint32_t> variable_of_fact_, schema_of_action_;
    Rows arguments_;
    std::vector<std::uint32_t> first_place_;
    std::vector<Hash> place_hash_;
};

}  // namespace fsplan::relational
