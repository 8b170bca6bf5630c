// How the applicable actions of a state, and the objects, relate to the relaxed plan of the state.
#pragma once

#include "policies/relational/relaxed_plans.hpp"
#include "policies/relational/replaced_facts.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

inline std::uint8_t up_to(std::uint32_t most, std::uint32_t count) {
    return static_cast<std::uint8_t>(std::min(most, count));
}

class PlanRelations {
public:
    // The arguments must outlive the object.
    PlanRelations(const Structure& structure, const RelaxedPlans& relaxed, const ReplacedFacts& replaced)
        : structure_(structure), relaxed_(relaxed), replaced_(replaced), roles_(structure.object_count()),
          roles_hash_(structure.object_count()) {}

    // Computes the relations in the current state of the relaxed plans and the replaced facts.
    void set_state(std::span<const ActionId> actions) {
        relations_.resize(actions.size());
        for (std::size_t edge = 0; edge < actions.size(); ++edge) relations_[edge] = relation_of(edge, actions[edge]);
        assign_roles();
    }

    // Whether an action is helpful; the number of actions of the plan that need its add effects, up to 3; the numbers
    // of helpful and other actions that need its delete effects, up to 2 each.
    struct Relation {
        std::uint8_t helpful = 0, supplies = 0, breaks_helpful = 0, breaks_others = 0;

        static constexpr std::size_t kCount = 2 * 4 * 3 * 3;
        std::size_t number() const { return ((helpful * 4U + supplies) * 3 + breaks_helpful) * 3 + breaks_others; }
    };
    const Relation& relation(std::size_t edge) const { return relations_[edge]; }

    // The roles of an object: the parameters of the plan's actions whose argument it is, numbered as by
    // Structure::first_place, without repetition. roles_hash is a hash of this set.
    std::span<const std::uint32_t> roles(ObjectId object) const { return roles_[object]; }
    Hash roles_hash(ObjectId object) const { return roles_hash_[object]; }

private:
    Relation relation_of(std::size_t edge, ActionId action) const {
        const bool helpful = relaxed_.is_helpful(edge);
        std::uint32_t supplies = 0, breaks = 0, breaks_helpful = 0;
        const auto concerns = [&](std::uint32_t variable) { return relaxed_.is_needed(variable); };
        replaced_.list(action, concerns, [&](FactId before, FactId after) {
            supplies += relaxed_.need(after).by_plan;
            const RelaxedPlans::Need& need = relaxed_.need(before);
            if (need.by_plan == 0) return;
            // A helpful action that deletes its own precondition is not counted among the actions that need it.
            const auto own = structure_.task().precondition[action];
            const std::uint32_t itself = helpful && std::ranges::find(own, before) != own.end() ? 1 : 0;
            breaks += need.by_plan - itself;
            breaks_helpful += need.by_helpful - itself;
        });
        return {helpful, up_to(3, supplies), up_to(2, breaks_helpful), up_to(2, breaks - breaks_helpful)};
    }
    void assign_roles() {
        for (const ObjectId object : with_roles_) {
            roles_[object].clear();
            roles_hash_[object] = 0;
        }
        with_roles_.clear();
        for (const ActionId action : relaxed_.plan()) {
            std::uint32_t place = structure_.first_place(structure_.schema(action));
            for (const ObjectId object : structure_.arguments(action)) add_role(object, place++);
        }
    }
    void add_role(ObjectId object, std::uint32_t place) {
        std::vector<std::uint32_t>& roles = roles_[object];
        if (std::ranges::find(roles, place) != roles.end()) return;
        if (roles.empty()) with_roles_.push_back(object);
        roles.push_back(place);
        roles_hash_[object] += mix(place + 1);
    }

    const Structure& structure_;
    const RelaxedPlans& relaxed_;
    const ReplacedFacts& replaced_;
    std::vector<Relation> relations_;                // per edge
    std::vector<std::vector<std::uint32_t>> roles_;  // per object
    std::vector<Hash> roles_hash_;
    std::vector<ObjectId> with_roles_;
};

}  // namespace fsplan::relational
