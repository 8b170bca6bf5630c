// Relations between the applicable actions of a state, and their arguments, and the relaxed plan of the state.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policies/relational/changes.hpp"
#include "policies/relational/outlook.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

class PlanRelations {
public:
    // The arguments must outlive the object.
    PlanRelations(const Structure& structure, const Outlook& outlook, const Changes& changes);

    // Computes the relations in the current state of outlook and changes.
    void set_state(std::span<const ActionId> actions);

    // Whether an action is helpful; the number of actions of the plan that need its add effects, up to 3; the numbers
    // of helpful and other actions that need its delete effects, up to 2 each.
    struct Relation {
        std::uint8_t helpful = 0, supplies = 0, breaks_helpful = 0, breaks_others = 0;

        static constexpr std::size_t kCount = 2 * 4 * 3 * 3;
        std::size_t number() const { return ((helpful * 4U + supplies) * 3 + breaks_helpful) * 3 + breaks_others; }
    };
    const Relation& relation(std::size_t edge) const { return relations_[edge]; }

    // The parameters of actions of the plan for which an object is used, by number (Structure::first_place), without
    // repetition; and a hash of their set.
    std::span<const std::uint32_t> roles(ObjectId object) const { return roles_[object]; }
    Hash roles_hash(ObjectId object) const { return roles_hash_[object]; }

private:
    Relation relation_of(std::size_t edge, ActionId action) const;
    void assign_roles();
    void add_role(ObjectId object, std::uint32_t place);

    const Structure& structure_;
    const Outlook& outlook_;
    const Changes& changes_;
    std::vector<Relation> relations_;                // per edge
    std::vector<std::vector<std::uint32_t>> roles_;  // per object
    std::vector<Hash> roles_hash_;
    std::vector<ObjectId> with_roles_;
};

}  // namespace fsplan::relational
