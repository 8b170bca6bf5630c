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
      views_(structure.object_count()), views_of_(structure.object_count()) {
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
    action_features(edge, add);
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
    for (const auto incidences : {colours_.static_incidences(object), colours_.varying_incidences(object)})
        for (const auto& each : incidences)
            for (std::size_t round = 0; round < kRounds; ++round) views.push_back(colours_.view(each, round));
    keep_distinct(views);
    return views;
}

// An atom that joins two arguments is met at both; it is taken where it is met first. So the argument with the most atoms
// can be left out.
void Features::list_links(std::size_t edge) {
    links_.clear();
    scanned_.clear();
    const auto objects = structure_.arguments(actions_[edge]);
    const Hash schema = join(tag::link, schema_hash(edge));
    for (std::uint32_t i = 0; i < objects.size(); ++i) {
        if (mark_[objects[i]] != 0) continue;
        mark_[objects[i]] = i + 1;
        scanned_.push_back(objects[i]);
    }
    const auto degree = [&](ObjectId object) {
        return colours_.static_incidences(object).size() + colours_.varying_incidences(object).size();
    };
    const auto busiest = std::max_element(scanned_.begin(), scanned_.end(),
                                          [&](ObjectId left, ObjectId right) { return degree(left) < degree(right); });
    const ObjectId left_out = busiest == scanned_.end() ? 0 : *busiest;
    for (const ObjectId object : scanned_) {
        if (object == left_out) continue;
        for (const auto incidences : {colours_.static_incidences(object), colours_.varying_incidences(object)})
            for (const auto& each : incidences) {
                const auto members = structure_.objects(each.atom);
                bool joins = false, first = true;
                for (std::uint32_t place = 0; place < members.size(); ++place) {
                    if (members[place] == object) {
                        first = first && place >= each.place;
                    } else if (mark_[members[place]] != 0) {
                        joins = true;
                        first = first && (members[place] == left_out || mark_[members[place]] > mark_[object]);
                    }
                }
                if (joins && first) add_link(each.atom, each.label, schema);
            }
    }
    for (const ObjectId object : scanned_) mark_[object] = 0;
    keep_distinct(links_);
    Hash all = 0;
    for (const Hash link : links_) all += mix(link);
    if (links_.size() > 1) links_.push_back(join(join(tag::links, schema_hash(edge)), all));
}

void Features::add_link(AtomId atom, Hash label, Hash schema) {
    Hash link = join(schema, label);
    for (const ObjectId object : structure_.objects(atom))
        link = join(link, mark_[object] != 0 ? mark_[object] : colours_.of(0, object));
    links_.push_back(link);
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
