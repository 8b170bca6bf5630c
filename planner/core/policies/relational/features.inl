// The groups of features.hpp.
#pragma once

namespace fsplan::relational {

inline Hash in_block(Hash hash, Block block) { return (hash & ~Hash{3}) | static_cast<Hash>(block); }

// Adds a feature alone and with the schema.
template <class Add>
auto with_and_without(Hash schema, Add add) {
    return [schema, add](Hash hash, Block block) {
        add(in_block(hash, block));
        add(in_block(join(hash, schema), block));
    };
}

template <class Add>
void Features::schema_features(std::size_t edge, Add add) const {
    const Hash schema = schema_hash(edge);
    add(in_block(join(tag::schema, schema), Block::colours));
    const Hash with_label = join(tag::label, schema);
    label_counts().list_labels([&](Hash label) { add(in_block(join(with_label, label), Block::colours)); });
}

inline Hash Features::comparison_feature(Hash schema, std::size_t pair, Comparison comparison) const {
    const Hash which = join(label_counts().pair_hash(pair), static_cast<Hash>(comparison));
    return in_block(join(join(tag::compare, schema), which), Block::colours);
}

template <class Add>
void Features::comparison_features(std::size_t edge, Add add) const {
    for (std::size_t pair = 0; pair < label_counts().pair_count(); ++pair) {
        const Comparison comparison = label_counts().comparison(pair);
        if (comparison != Comparison::absent) add(comparison_feature(schema_hash(edge), pair, comparison));
    }
}

template <class Add>
void Features::argument_features(std::size_t edge, std::size_t i, Add add) const {
    const ObjectId object = arguments(edge)[i];
    const Hash argument = join(join(tag::argument, schema_hash(edge)), i),
               role = join(join(tag::role, schema_hash(edge)), i);
    for (std::size_t round = 0; round <= kRounds; ++round)
        add(in_block(join(argument, colours_.of(round, object)), Block::colours));
    for (const std::uint32_t place : relations_.roles(object))
        add(in_block(join(role, structure_.place_hash(place)), Block::plan));
    if (relations_.roles(object).empty()) add(in_block(role, Block::plan));
}

template <class Add>
void Features::view_features(std::size_t edge, std::size_t i, std::size_t round, Add add) const {
    const Hash argument = join(join(tag::view, schema_hash(edge)), i);
    colours_.list_views(arguments(edge)[i], round,
                        [&](Hash view) { add(in_block(join(argument, view), Block::context)); });
}

template <class Add>
void Features::company_features(std::size_t edge, std::size_t i, Add add) const {
    const Hash own = colours_.of(0, arguments(edge)[i]);
    const Hash argument = join(join(join(tag::company, schema_hash(edge)), i), own);
    colours_.list_first_colours([&](Hash colour) { add(in_block(join(argument, colour), Block::context)); });
}

template <class Add>
void Features::arguments_features(std::size_t edge, std::size_t round, Add add) const {
    const auto objects = arguments(edge);
    const auto add_context = [&](Hash hash) { add(in_block(hash, Block::context)); };
    // The parameters' pairs, in this order, then all of them.
    const Hash* prefix = prefixes_[structure_.schema(actions_[edge])].data();
    for (std::size_t i = 0; i < objects.size(); ++i)
        for (std::size_t j = i + 1; j < objects.size(); ++j)
            add_context(join(join(*prefix++, colours_.of(round, objects[i])), colours_.of(round, objects[j])));
    if (objects.size() <= 2) return;
    Hash tuple = *prefix;
    for (const ObjectId object : objects) tuple = join(tuple, colours_.of(round, object));
    add_context(tuple);
}

template <class Add>
void Features::link_features(Add add) {
    for (const Hash link : links_.features()) add(in_block(link, Block::context));
}

template <class Add>
void Features::effect_features(std::size_t edge, Add add) {
    list_effects(edge);
    const auto add_both = with_and_without(schema_hash(edge), add);
    for (const Hash effect : effects_) add_both(effect, Block::colours);
}

template <class Add>
void Features::plan_features(std::size_t edge, Add add) const {
    const auto add_both = with_and_without(schema_hash(edge), add);
    const PlanRelations::Relation& relation = relations_.relation(edge);
    const Hash helpful = join(tag::helpful, relation.helpful);
    const Hash supplies = join(join(helpful, tag::supplies), relation.supplies);
    const auto with_breaks = [&](Hash hash) {
        return join(join(join(hash, tag::breaks), relation.breaks_helpful), relation.breaks_others);
    };
    for (const Hash feature : {helpful, supplies, with_breaks(helpful), with_breaks(supplies)})
        add_both(feature, Block::plan);
}

template <class Add>
void Features::guide_features(std::size_t edge, Add add) const {
    const auto add_both = with_and_without(schema_hash(edge), add);
    add_both(join(tag::progress, successors_.progress(edge)), Block::guides);
    add_both(join(tag::gap, successors_.gap(edge)), Block::guides);
}

// Calls list(number, kind) for each kind of actions (action_costs.hpp) with which the cost of this action is compared.
// Kinds of different numbers are different.
template <class List>
void Features::list_cost_kinds(std::size_t edge, List list) const {
    list(0, schema_hash(edge));
    list(1, join(schema_hash(edge), relations_.relation(edge).helpful));
}

template <class List>
void Features::list_cost_context(std::size_t edge, List list) const {
    const Hash schema = schema_hash(edge);
    std::size_t number = 2;
    for (std::size_t round = 0; round < kRounds; ++round, ++number)
        list(number, join(schema, arguments_key(edge, round)));
    for (const ObjectId object : arguments(edge)) list(number, join(schema, object)), ++number;
}

inline Hash Features::cost_feature(std::size_t edge, std::size_t number, Hash kind) const {
    return join(join(join(tag::cost, schema_hash(edge)), number), costs_.rank(join(number, kind), actions_[edge]));
}

template <class Add>
void Features::cost_features(std::size_t edge, Add add) const {
    if (!costs_.differ()) return;
    list_cost_kinds(edge, [&](std::size_t number, Hash kind) {
        const Hash feature = cost_feature(edge, number, kind);
        add(number == 0 ? in_block(feature, Block::colours)
                        : in_block(join(feature, relations_.relation(edge).helpful), Block::plan));
    });
}

template <class Add>
void Features::cost_context_features(std::size_t edge, Add add) const {
    if (!costs_.differ()) return;
    list_cost_context(
        edge, [&](std::size_t number, Hash kind) { add(in_block(cost_feature(edge, number, kind), Block::context)); });
}

template <class Add>
void Features::cost_guide_features(std::size_t edge, Add add) const {
    if (costs_.differ()) with_and_without(schema_hash(edge), add)(join(tag::lag, successors_.lag(edge)), Block::guides);
}

}  // namespace fsplan::relational
