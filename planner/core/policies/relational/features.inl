// The groups of features.hpp.
#pragma once

namespace fsplan::relational {

namespace tag {
inline constexpr Hash schema = 10, label = 11, argument = 12, pair = 13, tuple = 14, link = 15, links = 16, effect = 17,
                      helpful = 18, progress = 19, gap = 20, company = 21, cost = 22, lag = 23;
}  // namespace tag

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
    colours_.list_labels([&](Hash label) { add(in_block(join(with_label, label), Block::colours)); });
}

template <class Add>
void Features::argument_features(std::size_t edge, std::size_t i, std::size_t round, Add add) const {
    const ObjectId object = structure_.arguments(actions_[edge])[i];
    const Hash argument = join(join(tag::argument, schema_hash(edge)), i);
    colours_.list_views(object, round - 1, [&](Hash view) { add(in_block(join(argument, view), Block::colours)); });
    if (round == 1) add(in_block(join(argument, colours_.of(0, object)), Block::colours));
    add(in_block(join(argument, colours_.of(round, object)), Block::colours));
}

template <class Add>
void Features::company_features(std::size_t edge, std::size_t i, Add add) const {
    const Hash own = colours_.of(0, structure_.arguments(actions_[edge])[i]);
    const Hash argument = join(join(join(tag::company, schema_hash(edge)), i), own);
    colours_.list_first_colours([&](Hash colour) { add(in_block(join(argument, colour), Block::colours)); });
}

template <class Add>
void Features::arguments_features(std::size_t edge, std::size_t round, Add add) const {
    const auto objects = structure_.arguments(actions_[edge]);
    const auto add_colours = [&](Hash hash) { add(in_block(hash, Block::colours)); };
    // The parameters' pairs, in this order, then all of them.
    const Hash* prefix = prefixes_[structure_.schema(actions_[edge])].data();
    for (std::size_t i = 0; i < objects.size(); ++i)
        for (std::size_t j = i + 1; j < objects.size(); ++j)
            add_colours(join(join(*prefix++, colours_.of(round, objects[i])), colours_.of(round, objects[j])));
    if (objects.size() <= 2) return;
    Hash tuple = *prefix;
    for (const ObjectId object : objects) tuple = join(tuple, colours_.of(round, object));
    add_colours(tuple);
}

template <class Add>
void Features::link_features(std::size_t edge, Add add) {
    list_links(edge);
    for (const Hash link : found_links_) add(in_block(link, Block::colours));
}

template <class Add>
void Features::effect_features(std::size_t edge, Add add) {
    list_effects(edge);
    const auto add_both = with_and_without(schema_hash(edge), add);
    for (const Hash effect : effects_) add_both(effect, Block::colours);
}

template <class Add>
void Features::relaxed_features(std::size_t edge, Add add) const {
    const auto add_both = with_and_without(schema_hash(edge), add);
    if (last_ == Block::colours) return;
    add_both(join(tag::helpful, outlook_->is_helpful(edge)), Block::helpful);
    if (last_ == Block::helpful) return;
    add_both(join(tag::progress, progress_[edge]), Block::guides);
    add_both(join(tag::gap, gap_[edge]), Block::guides);
}

// What an action is compared with: those of its schema, with the same colours of the first two rounds, with the same
// argument, and those that are as helpful. list(kind, block); kinds of different numbers differ.
template <class List>
void Features::list_cost_kinds(std::size_t edge, List list) const {
    const Hash schema = schema_hash(edge);
    std::size_t number = 0;
    const auto add = [&](Hash shared, Block block) { list(number, join(join(number, schema), shared), block), ++number; };
    add(0, Block::colours);
    for (std::size_t round = 0; round < kRounds; ++round) add(arguments_key(edge, round), Block::colours);
    for (const ObjectId object : structure_.arguments(actions_[edge])) add(object, Block::colours);
    if (last_ != Block::colours) add(outlook_->is_helpful(edge) ? 1 : 0, Block::helpful);
}

template <class Add>
void Features::cost_features(std::size_t edge, Add add) const {
    if (!costs_.differ()) return;
    const Hash with_schema = join(tag::cost, schema_hash(edge));
    list_cost_kinds(edge, [&](std::size_t number, Hash kind, Block block) {
        Hash feature = join(join(with_schema, number), costs_.rank(kind, actions_[edge]));
        if (block == Block::helpful) feature = join(feature, outlook_->is_helpful(edge));
        add(in_block(feature, block));
    });
    if (last_ == Block::guides) with_and_without(schema_hash(edge), add)(join(tag::lag, lag_[edge]), Block::guides);
}

}  // namespace fsplan::relational
