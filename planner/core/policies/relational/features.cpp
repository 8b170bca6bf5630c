#include "policies/relational/features.hpp"

#include "containers/sorted.hpp"

namespace fsplan::relational {

Features::Features(const Structure& structure)
    : Features(structure, true, relational::costs_differ(structure.task())) {}

Features::Features(const Structure& structure, bool costs_differ) : Features(structure, false, costs_differ) {}

Features::Features(const Structure& structure, bool relaxed_plans, bool costs_differ)
    : structure_(structure), colours_(structure), links_(structure, colours_),
      relaxed_(structure.task(), relaxed_plans), replaced_(structure), relations_(structure, relaxed_, replaced_),
      successors_(structure.task(), relaxed_, replaced_), costs_(structure.task(), costs_differ),
      argument_keys_(structure.object_count()) {
    read_new_actions();
}

void Features::read_new_actions() {
    replaced_.read_new_actions();
    links_.read_new_actions();
    make_prefixes();
}

void Features::make_prefixes() {
    prefixes_.resize(structure_.schema_count());
    for (ActionId action = prefixes_end_; action < structure_.action_count(); ++action) {
        std::vector<Hash>& prefixes = prefixes_[structure_.schema(action)];
        if (!prefixes.empty()) continue;
        const Hash schema = structure_.schema_hash(action);
        const std::size_t arity = structure_.arguments(action).size();
        for (std::size_t i = 0; i < arity; ++i)
            for (std::size_t j = i + 1; j < arity; ++j) prefixes.push_back(join(join(join(tag::pair, schema), i), j));
        prefixes.push_back(join(tag::tuple, schema));
    }
    prefixes_end_ = static_cast<ActionId>(structure_.action_count());
}

void Features::set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions) {
    actions_ = actions;
    colours_.compute(values);
    relaxed_.set_state(values, actions);
    replaced_.set_state(values);
    relations_.set_state(actions);
    for (ObjectId object = 0; object < argument_keys_.size(); ++object)
        argument_keys_[object] = colours_.of(kRounds, object) + relations_.roles_hash(object);
    if (costs_.differ()) compare_costs();
    all_compared_ = false;
}

void Features::compare_costs() {
    costs_.clear();
    for (std::size_t edge = 0; edge < actions_.size(); ++edge) {
        const auto add = [&](std::size_t number, Hash kind) { costs_.add(join(number, kind), actions_[edge]); };
        list_cost_kinds(edge, add);
        list_cost_context(edge, add);
    }
}

void Features::compare_all() {
    std::vector<std::uint32_t> edges(actions_.size());
    std::iota(edges.begin(), edges.end(), 0U);
    compare(edges);
    all_compared_ = true;
}

void Features::list(std::size_t edge, std::vector<Hash>& out) {
    out.clear();
    const auto add = [&](Hash feature) { out.push_back(feature); };
    schema_features(edge, add);
    comparison_features(edge, add);
    for (std::size_t i = 0; i < arguments(edge).size(); ++i) {
        argument_features(edge, i, add);
        for (std::size_t round = 0; round < kRounds; ++round) view_features(edge, i, round, add);
        company_features(edge, i, add);
    }
    effect_features(edge, add);
    plan_features(edge, add);
    for (std::size_t round = 0; round < kRounds; ++round) arguments_features(edge, round, add);
    find_links(edge);
    link_features(add);
    cost_features(edge, add);
    cost_context_features(edge, add);
    if (all_compared_) {
        guide_features(edge, add);
        cost_guide_features(edge, add);
    }
    sort_unique(out);
}

Hash Features::arguments_key(std::size_t edge, std::size_t round) const {
    Hash key = 1;
    for (const ObjectId object : arguments(edge)) key = (key + colours_.of(round, object)) * kOdd;
    return key;
}

Hash Features::context_key(std::size_t edge) const {
    Hash key = 1;
    for (const ObjectId object : arguments(edge)) key = (key + colours_.signature(object)) * kOdd;
    return key;
}

void Features::add_effect(AtomId atom, bool adds) {
    if (atom == kNoAtom) return;
    const auto goal = static_cast<Hash>(structure_.goal_kind(atom));
    effects_.push_back(join(join(tag::effect, structure_.predicate_hash(atom)), 2 * goal + (adds ? 1 : 0)));
}

void Features::list_effects(std::size_t edge) {
    effects_.clear();
    replaced_.list(actions_[edge], [&](FactId before, FactId after) {
        add_effect(structure_.atom_of_fact(before), false);
        add_effect(structure_.atom_of_fact(after), true);
    });
    sort_unique(effects_);
}

}  // namespace fsplan::relational
