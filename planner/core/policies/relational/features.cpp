#include "policies/relational/features.hpp"

#include <algorithm>
#include <limits>

namespace fsplan::relational {

namespace {

// Mixes the parts of keys. Keys are not stored in files, so they need not be hashes of hashing.hpp.
constexpr Hash kOdd = 0x9E3779B97F4A7C15ULL;

void keep_distinct(std::vector<Hash>& hashes) {
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

// How an action of cost c changes the guide h_FF: c + h_FF(successor) − h_FF(state), in units of c. Examples with c = 1: from
// guide 5 to 4 adds 0, as a step of the relaxed plan does that the successor need not repeat; from 5 to 5 adds 1; from 5 to 6,
// where the step has to be undone, adds 2. For actions of cost 0 the unit is 1.
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

// How much more than the best action of the state it adds, in the same units, rounded up: 0 for the best, at most 3.
std::uint8_t gap_of(std::int64_t behind, Cost cost) {
    const std::int64_t unit = std::max(1, cost);
    if (behind == 0) return 0;
    return behind <= unit ? 1 : behind <= 2 * unit ? 2 : 3;
}

// The same as a part of the state's guide: 0 the best, 1 … 5.
std::uint8_t lag_of(std::int64_t behind, std::int64_t guide) {
    if (behind == 0) return 0;
    std::uint8_t lag = 1;
    for (const std::int64_t percent : {2, 5, 15, 40}) {
        if (100 * behind <= percent * guide) return lag;
        ++lag;
    }
    return lag;
}

}  // namespace

Features::Features(const Structure& structure, Block last)
    : structure_(structure), last_(last), colours_(structure), costs_(structure.task()), mark_(structure.object_count()),
      link_ranges_(structure.task().action_count()) {
    if (last != Block::colours) outlook_.emplace(structure.task());
    make_prefixes();
}

void Features::make_prefixes() {
    prefixes_.resize(structure_.schema_count());
    for (ActionId action = 0; action < structure_.task().action_count(); ++action) {
        std::vector<Hash>& prefixes = prefixes_[structure_.schema(action)];
        if (!prefixes.empty()) continue;
        const Hash schema = structure_.schema_hash(action);
        const std::size_t arity = structure_.arguments(action).size();
        for (std::size_t i = 0; i < arity; ++i)
            for (std::size_t j = i + 1; j < arity; ++j) prefixes.push_back(join(join(join(tag::pair, schema), i), j));
        prefixes.push_back(join(tag::tuple, schema));
    }
}

void Features::set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions) {
    values_ = values;
    actions_ = actions;
    colours_.compute(values);
    if (outlook_) outlook_->compute(values, actions, last_ == Block::guides);
    if (last_ == Block::guides) rate_successors();
    if (costs_.differ()) compare_costs();
}

void Features::compare_costs() {
    costs_.clear();
    for (std::size_t edge = 0; edge < actions_.size(); ++edge)
        list_cost_kinds(edge, [&](std::size_t, Hash kind, Block) { costs_.add(kind, actions_[edge]); });
}

void Features::rate_successors() {
    progress_.assign(actions_.size(), dead);
    gap_.assign(actions_.size(), 4);
    lag_.assign(actions_.size(), 6);
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
        lag_[edge] = lag_of(estimate(edge) - least, outlook_->guide());
    }
}

void Features::list(std::size_t edge, std::vector<Hash>& out) {
    out.clear();
    const auto add = [&](Hash feature) { out.push_back(feature); };
    schema_features(edge, add);
    for (std::size_t i = 0; i < arity(edge); ++i)
        for (std::size_t round = 1; round <= kRounds; ++round) argument_features(edge, i, round, add);
    for (std::size_t i = 0; i < arity(edge); ++i) company_features(edge, i, add);
    for (std::size_t round = 0; round <= kRounds; ++round) arguments_features(edge, round, add);
    link_features(edge, add);
    effect_features(edge, add);
    cost_features(edge, add);
    relaxed_features(edge, add);
    keep_distinct(out);
}

Hash Features::arguments_key(std::size_t edge, std::size_t round) const {
    Hash key = 0;
    for (const ObjectId object : structure_.arguments(actions_[edge])) key = (key + colours_.of(round, object)) * kOdd;
    return key;
}

std::size_t Features::relaxed_key(std::size_t edge) const {
    if (last_ == Block::colours) return 0;
    const std::size_t helpful = outlook_->is_helpful(edge) ? 1 : 0;
    return last_ == Block::helpful ? helpful : (helpful * 9 + progress_[edge]) * 5 + gap_[edge];
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

bool Features::has_only_arguments(AtomId atom) const {
    const auto members = structure_.objects(atom);
    return std::all_of(members.begin(), members.end(), [&](ObjectId member) { return mark_[member] != 0; });
}

Hash Features::link_hash(AtomId atom, std::size_t edge) const {
    Hash link = join(join(tag::link, schema_hash(edge)), colours_.label(atom));
    for (const ObjectId object : structure_.objects(atom))
        link = join(link, mark_[object] != 0 ? mark_[object] : colours_.of(0, object));
    return link;
}

std::span<const Features::Link> Features::links(std::size_t edge) {
    LinkRange& range = link_ranges_[actions_[edge]];
    if (!range.known) {
        range = {static_cast<std::uint32_t>(links_.size()), 0, true};
        mark_arguments(edge);
        find_links();
        unmark_arguments();
        range.end = static_cast<std::uint32_t>(links_.size());
    }
    return std::span(links_).subspan(range.begin, range.end - range.begin);
}

// The arguments are marked. The argument with the most atoms is left out: an atom that joins it with another argument is also
// an atom of that one. An atom that joins several of the others is found at each of them and listed once.
void Features::find_links() {
    const auto fewer = [&](ObjectId left, ObjectId right) {
        return colours_.atoms_of(left).size() < colours_.atoms_of(right).size();
    };
    const auto busiest = std::max_element(scanned_.begin(), scanned_.end(), fewer);
    distinct_.clear();
    for (auto object = scanned_.begin(); object != scanned_.end(); ++object) {
        if (object == busiest) continue;
        for (const AtomId atom : colours_.atoms_of(*object))
            if (joins_arguments(atom, *object) && distinct_.insert(mix(atom))) links_.push_back({atom, has_only_arguments(atom)});
    }
}

Hash Features::links_key(std::size_t edge) {
    Hash key = 0;
    for (const Link& link : links(edge)) {
        const Hash label = colours_.label(link.atom);
        key = (key + label) * kOdd;
        if (label == 0 || link.closed) continue;
        for (const ObjectId object : structure_.objects(link.atom)) key = (key + colours_.of(0, object)) * kOdd;
    }
    return key;
}

void Features::list_links(std::size_t edge) {
    found_links_.clear();
    const auto candidates = links(edge);
    mark_arguments(edge);
    for (const Link& link : candidates)
        if (colours_.label(link.atom) != 0) found_links_.push_back(link_hash(link.atom, edge));
    unmark_arguments();
    keep_distinct(found_links_);
    Hash all = 0;
    for (const Hash link : found_links_) all += mix(link);
    if (found_links_.size() > 1) found_links_.push_back(join(join(tag::links, schema_hash(edge)), all));
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
