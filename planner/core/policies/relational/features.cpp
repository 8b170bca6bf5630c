#include "policies/relational/features.hpp"

#include <algorithm>
#include <limits>

namespace fsplan::relational {

namespace {

void keep_distinct(std::vector<Hash>& hashes) {
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

// What an action's cost and its successor's guide together add to the state's guide, in units of that cost: nothing for a
// step of the relaxed plan that its successor need not repeat, one where the guide stays as it was, two where the step has
// to be undone. Free actions are measured in units of one.
enum Progress : std::uint8_t { better, exact, less_than_half, less, unchanged, worse, undone, much_worse, dead };

Progress progress_of(std::int64_t added, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (added < 0) return better;
    if (added == 0) return exact;
    if (2 * added <= unit) return less_than_half;
    if (added < unit) return less;
    if (added == unit) return unchanged;
    if (added < 2 * unit) return worse;
    return added == 2 * unit ? undone : much_worse;
}

// How far behind the best sibling, in the same units: 0 the best, 1 … 3.
std::uint8_t gap_of(std::int64_t behind, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (behind == 0) return 0;
    return behind <= unit ? 1 : behind <= 2 * unit ? 2 : 3;
}

}  // namespace

Features::Features(const Structure& structure, Block last)
    : structure_(structure), last_(last), colours_(structure), mark_(structure.object_count()),
      static_links_(structure.task().action_count()), static_known_(structure.task().action_count()),
      effects_known_(structure.task().action_count()), views_(structure.object_count()),
      views_of_(structure.object_count()) {
    if (last != Block::colours) outlook_.emplace(structure.task());
}

void Features::set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions) {
    values_ = values;
    actions_ = actions;
    ++state_number_;
    colours_.compute(values);
    if (outlook_) outlook_->compute(values, actions, last_ == Block::guides);
    if (last_ == Block::guides) rate_successors();
}

void Features::rate_successors() {
    progress_.assign(actions_.size(), dead);
    gap_.assign(actions_.size(), 4);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    const auto cost = [&](std::size_t edge) { return structure_.task().cost[actions_[edge]]; };
    const auto estimate = [&](std::size_t edge) { return std::int64_t{cost(edge)} + outlook_->successor_guide(edge); };
    const auto alive = [&](std::size_t edge) { return outlook_->successor_guide(edge) != kDeadEnd; };
    for (std::size_t edge = 0; edge < actions_.size(); ++edge)
        if (alive(edge)) least = std::min(least, estimate(edge));
    for (std::size_t edge = 0; edge < actions_.size(); ++edge) {
        if (!alive(edge)) continue;
        progress_[edge] = progress_of(estimate(edge) - outlook_->guide(), cost(edge));
        gap_[edge] = gap_of(estimate(edge) - least, cost(edge));
    }
}

void Features::list(std::size_t edge, std::vector<Hash>& out) {
    out.clear();
    const auto add = [&](Hash feature) { out.push_back(feature); };
    schema_features(edge, add);
    for (std::size_t i = 0; i < arity(edge); ++i) argument_features(edge, i, add);
    arguments_features(edge, add);
    link_features(edge, add);
    effect_features(edge, add);
    relaxed_features(edge, add);
    keep_distinct(out);
}

Hash Features::schema_key(std::size_t edge) const {
    return join(join(tag::schema, schema_hash(edge)), colours_.label_set());
}

Hash Features::argument_key(std::size_t edge, std::size_t i) const {
    const ObjectId object = structure_.arguments(actions_[edge])[i];
    return join(join(tag::argument, schema_hash(edge)) + i, colours_.finest(object));
}

Hash Features::arguments_key(std::size_t edge) const {
    Hash key = join(tag::tuple, schema_hash(edge));
    for (const ObjectId object : structure_.arguments(actions_[edge])) key = join(key, colours_.finest(object));
    return key;
}

// Through each of its atoms, by the neighbours' colours of every round but the finest: they are what the object's own
// colours are made of.
std::span<const Hash> Features::views(ObjectId object) {
    std::vector<Hash>& views = views_[object];
    if (views_of_[object] == state_number_) return views;
    views_of_[object] = state_number_;
    views.clear();
    distinct_.clear();
    const auto add = [&](Hash view) {
        if (distinct_.insert(view)) views.push_back(view);
    };
    for (std::size_t round = 0; round < kRounds; ++round) {
        const std::size_t count = colours_.static_incidences(object).size();
        for (std::size_t number = 0; number < count; ++number) add(colours_.static_view(object, number, round));
        for (const auto& each : colours_.varying_incidences(object)) add(colours_.view(each, round));
    }
    return views;
}

void Features::mark_arguments(std::size_t edge) {
    scanned_.clear();
    const auto objects = structure_.arguments(actions_[edge]);
    for (std::uint32_t i = 0; i < objects.size(); ++i) {
        if (mark_[objects[i]] != 0) continue;
        mark_[objects[i]] = i + 1;
        scanned_.push_back(objects[i]);
    }
}

void Features::unmark_arguments() {
    for (const ObjectId object : scanned_) mark_[object] = 0;
}

// Whether an atom of an argument has another argument, too.
bool Features::joins_arguments(AtomId atom, ObjectId object) const {
    const auto members = structure_.objects(atom);
    return std::any_of(members.begin(), members.end(),
                       [&](ObjectId member) { return member != object && mark_[member] != 0; });
}

Hash Features::link_hash(AtomId atom, Hash label, std::size_t edge) const {
    Hash link = join(join(tag::link, schema_hash(edge)), label);
    for (const ObjectId object : structure_.objects(atom))
        link = join(link, mark_[object] != 0 ? mark_[object] : colours_.of(0, object));
    return link;
}

// With the arguments marked. An atom that joins two arguments is met at both and listed twice, which does no harm.
const std::vector<Features::StaticLink>& Features::static_links(std::size_t edge) {
    const ActionId action = actions_[edge];
    std::vector<StaticLink>& links = static_links_[action];
    if (static_known_[action]) return links;
    static_known_[action] = 1;
    for (const ObjectId object : scanned_)
        for (const auto& each : colours_.static_incidences(object)) {
            if (!joins_arguments(each.atom, object)) continue;
            const auto members = structure_.objects(each.atom);
            const bool fixed = std::all_of(members.begin(), members.end(), [&](ObjectId member) { return mark_[member] != 0; });
            links.push_back({each.atom, each.label, fixed ? link_hash(each.atom, each.label, edge) : 0});
        }
    return links;
}

// With the arguments marked. The argument with the most atoms need not be looked at: what joins it is met elsewhere.
void Features::list_varying_links(std::size_t edge) {
    varying_links_.clear();
    const auto fewer = [&](ObjectId left, ObjectId right) {
        return colours_.varying_incidences(left).size() < colours_.varying_incidences(right).size();
    };
    const auto busiest = std::max_element(scanned_.begin(), scanned_.end(), fewer);
    for (auto object = scanned_.begin(); object != scanned_.end(); ++object) {
        if (object == busiest) continue;
        for (const auto& each : colours_.varying_incidences(*object))
            if (joins_arguments(each.atom, *object)) varying_links_.push_back(link_hash(each.atom, each.label, edge));
    }
}

Hash Features::links_key(std::size_t edge) {
    mark_arguments(edge);
    Hash key = 0;
    for (const StaticLink& link : static_links(edge))
        if (link.hash == 0) key += mix(link_hash(link.atom, link.label, edge));
    list_varying_links(edge);
    unmark_arguments();
    // Atoms between arguments are met at one or two of them, so each counts once.
    keep_distinct(varying_links_);
    for (const Hash link : varying_links_) key += mix(link);
    return join(join(tag::link_sum, actions_[edge]), key);
}

void Features::list_links(std::size_t edge) {
    mark_arguments(edge);
    list_varying_links(edge);
    links_ = varying_links_;
    for (const StaticLink& link : static_links(edge))
        links_.push_back(link.hash != 0 ? link.hash : link_hash(link.atom, link.label, edge));
    unmark_arguments();
    keep_distinct(links_);
    Hash all = 0;
    for (const Hash link : links_) all += mix(link);
    if (links_.size() > 1) links_.push_back(join(join(tag::links, schema_hash(edge)), all));
}

// Whether the action's effects are unconditional and change what its precondition names: then they are the same in every
// state where it is applicable.
bool Features::has_fixed_effects(ActionId action) const {
    const GroundTask& task = structure_.task();
    const auto precondition = task.precondition[action];
    const auto is_known = [&](std::uint32_t variable) {
        return std::any_of(precondition.begin(), precondition.end(),
                           [&](FactId fact) { return structure_.variable_of_fact(fact) == variable; });
    };
    for (auto effect = task.first_effect[action]; effect < task.first_effect[action + 1]; ++effect)
        if (!task.effect_condition[effect].empty() || !is_known(structure_.variable_of_fact(task.effect[effect]))) return false;
    return true;
}

Hash Features::effects_key(std::size_t edge) {
    const ActionId action = actions_[edge];
    Known& known = effects_known_[action];
    if (known == Known::no) known = has_fixed_effects(action) ? Known::fixed : Known::varying;
    return known == Known::fixed ? join(tag::effect_sum, action) : 0;
}

bool Features::happens(std::size_t effect) const {
    const GroundTask& task = structure_.task();
    const auto holds = [&](FactId fact) {
        const std::uint32_t variable = structure_.variable_of_fact(fact);
        return task.first_fact[variable] + static_cast<FactId>(values_[variable]) == fact;
    };
    const auto condition = task.effect_condition[effect];
    return std::all_of(condition.begin(), condition.end(), holds);
}

void Features::add_effect(AtomId atom, bool adds) {
    if (atom == kNoAtom) return;
    const auto goal = static_cast<Hash>(structure_.goal_kind(atom));
    effects_.push_back(join(join(tag::effect, structure_.predicate_hash(atom)), 2 * goal + (adds ? 1 : 0)));
}

void Features::list_effects(std::size_t edge) {
    const GroundTask& task = structure_.task();
    effects_.clear();
    const ActionId action = actions_[edge];
    for (auto effect = task.first_effect[action]; effect < task.first_effect[action + 1]; ++effect) {
        const FactId after = task.effect[effect];
        const std::uint32_t variable = structure_.variable_of_fact(after);
        const FactId before = task.first_fact[variable] + static_cast<FactId>(values_[variable]);
        if (before == after || !happens(effect)) continue;
        add_effect(structure_.atom_of_fact(before), false);
        add_effect(structure_.atom_of_fact(after), true);
    }
    keep_distinct(effects_);
}

}  // namespace fsplan::relational
