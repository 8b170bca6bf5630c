#include "policies/relational/plan_relations.hpp"

#include <algorithm>

namespace fsplan::relational {

namespace {

std::uint8_t up_to(std::uint32_t most, std::uint32_t count) { return static_cast<std::uint8_t>(std::min(most, count)); }

}  // namespace

PlanRelations::PlanRelations(const Structure& structure, const Outlook& outlook, const Changes& changes)
    : structure_(structure), outlook_(outlook), changes_(changes), roles_(structure.object_count()),
      roles_hash_(structure.object_count()) {}

void PlanRelations::set_state(std::span<const ActionId> actions) {
    relations_.resize(actions.size());
    for (std::size_t edge = 0; edge < actions.size(); ++edge) relations_[edge] = relation_of(edge, actions[edge]);
    assign_roles();
}

PlanRelations::Relation PlanRelations::relation_of(std::size_t edge, ActionId action) const {
    const bool helpful = outlook_.is_helpful(edge);
    std::uint32_t supplies = 0, breaks = 0, breaks_helpful = 0;
    const auto concerns = [&](std::uint32_t variable) { return outlook_.is_needed(variable); };
    changes_.list(action, concerns, [&](FactId before, FactId after) {
        supplies += outlook_.need(after).all;
        const Outlook::Need& need = outlook_.need(before);
        if (need.all == 0) return;
        // Preconditions of the action itself that it deletes do not count.
        const auto own = structure_.task().precondition[action];
        const std::uint32_t itself = helpful && std::find(own.begin(), own.end(), before) != own.end() ? 1 : 0;
        breaks += need.all - itself;
        breaks_helpful += need.now - itself;
    });
    return {helpful, up_to(3, supplies), up_to(2, breaks_helpful), up_to(2, breaks - breaks_helpful)};
}

void PlanRelations::assign_roles() {
    for (const ObjectId object : with_roles_) {
        roles_[object].clear();
        roles_hash_[object] = 0;
    }
    with_roles_.clear();
    for (const ActionId action : outlook_.plan()) {
        std::uint32_t place = structure_.first_place(structure_.schema(action));
        for (const ObjectId object : structure_.arguments(action)) add_role(object, place++);
    }
}

void PlanRelations::add_role(ObjectId object, std::uint32_t place) {
    std::vector<std::uint32_t>& roles = roles_[object];
    if (std::find(roles.begin(), roles.end(), place) != roles.end()) return;
    if (roles.empty()) with_roles_.push_back(object);
    roles.push_back(place);
    roles_hash_[object] += mix(place + 1);
}

}  // namespace fsplan::relational
