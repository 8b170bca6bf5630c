#include "policies/relational/colours.hpp"

#include <algorithm>
#include <numeric>

namespace fsplan::relational {

Colours::Colours(const Structure& structure) : structure_(structure), holds_(structure.atom_count()) {
    for (auto& round : colours_) round.resize(structure.object_count());
    for (const AtomId atom : structure.static_atoms()) holds_[atom] = 1;
    list_static();
}

void Colours::compute(std::span<const std::int32_t> values) {
    list_varying(values);
    sort_varying();
    first_round();
    for (std::size_t round = 0; round < kRounds; ++round) next_round(round);
}

Hash Colours::view(const Incidence& incidence, std::size_t round) const {
    const auto objects = structure_.objects(incidence.atom);
    Hash hash = join(incidence.label, incidence.place);
    for (std::size_t place = 0; place < objects.size(); ++place)
        if (place != incidence.place) hash = join(hash, colours_[round][objects[place]]);
    return hash;
}

void Colours::list_static() {
    const std::size_t objects = structure_.object_count();
    static_unary_.assign(objects, 0);
    static_begin_.assign(objects + 1, 0);
    atom_begin_.assign(structure_.atom_count() + 1, 0);
    for (AtomId atom = 0; atom < structure_.atom_count(); ++atom)
        atom_begin_[atom + 1] = atom_begin_[atom] + static_cast<std::uint32_t>(structure_.objects(atom).size());
    for (const AtomId atom : structure_.static_atoms())
        for (const ObjectId object : structure_.objects(atom)) ++static_begin_[object + 1];
    std::partial_sum(static_begin_.begin(), static_begin_.end(), static_begin_.begin());
    static_.resize(static_begin_.back());
    static_place_.resize(atom_begin_.back());
    auto next = static_begin_;
    for (const AtomId atom : structure_.static_atoms()) {
        const auto members = structure_.objects(atom);
        const Hash label = structure_.label(atom, structure_.status_if_true(atom));
        for (std::uint32_t place = 0; place < members.size(); ++place) {
            static_place_[atom_begin_[atom] + place] = next[members[place]];
            static_[next[members[place]]++] = {atom, place, label};
            if (members.size() == 1) static_unary_[members[0]] += join(label, 0);
        }
    }
    // Before the first state every colour counts as changed: views of 0 are replaced.
    for (auto& kept : kept_) {
        kept.colours.assign(objects, 0);
        kept.views.assign(static_.size(), 0);
        kept.sums.assign(objects, 0);
    }
}

void Colours::add_varying(AtomId atom, AtomStatus status) {
    active_.push_back({atom, structure_.label(atom, status)});
}

void Colours::list_varying(std::span<const std::int32_t> values) {
    for (const auto& [atom, label] : active_) holds_[atom] = 0;
    active_.clear();
    const GroundTask& task = structure_.task();
    for (std::size_t variable = 0; variable < values.size(); ++variable) {
        const AtomId atom = structure_.atom_of_fact(task.first_fact[variable] + static_cast<FactId>(values[variable]));
        if (atom == kNoAtom) continue;
        holds_[atom] = 1;
        add_varying(atom, structure_.status_if_true(atom));
    }
    for (const AtomId goal : structure_.goals())
        if (!holds_[goal]) add_varying(goal, AtomStatus::open_goal);
    labels_.clear();
    for (const auto& [atom, label] : active_)
        if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) labels_.push_back(label);
    label_set_ = 0;
    for (const Hash label : labels_) label_set_ += mix(label);
}

void Colours::sort_varying() {
    varying_begin_.assign(structure_.object_count() + 1, 0);
    for (const auto& [atom, label] : active_)
        for (const ObjectId object : structure_.objects(atom)) ++varying_begin_[object + 1];
    std::partial_sum(varying_begin_.begin(), varying_begin_.end(), varying_begin_.begin());
    varying_.resize(varying_begin_.back());
    // Filled from the back, so that afterwards every entry of varying_begin_ is where its row begins.
    for (auto next = active_.rbegin(); next != active_.rend(); ++next) {
        const auto members = structure_.objects(next->atom);
        for (std::uint32_t place = static_cast<std::uint32_t>(members.size()); place-- > 0;)
            varying_[--varying_begin_[members[place] + 1]] = {next->atom, place, next->label};
    }
    std::rotate(varying_begin_.begin(), varying_begin_.begin() + 1, varying_begin_.end());
    varying_begin_.back() = static_cast<std::uint32_t>(varying_.size());
}

void Colours::first_round() {
    for (ObjectId object = 0; object < structure_.object_count(); ++object) {
        Hash unary = static_unary_[object];
        for (const Incidence& each : varying_incidences(object))
            if (structure_.objects(each.atom).size() == 1) unary += join(each.label, 0);
        colours_[0][object] = join(structure_.object_hash(object), unary);
    }
}

void Colours::next_round(std::size_t round) {
    update_static_sums(round);
    for (ObjectId object = 0; object < structure_.object_count(); ++object) {
        Hash sum = kept_[round].sums[object];
        for (const Incidence& each : varying_incidences(object))
            if (structure_.objects(each.atom).size() > 1) sum += view(each, round);
        colours_[round + 1][object] = join(colours_[round][object], sum);
    }
}

void Colours::update_static_sums(std::size_t round) {
    Kept& kept = kept_[round];
    for (ObjectId object = 0; object < structure_.object_count(); ++object)
        if (kept.colours[object] != colours_[round][object]) replace_views(object, round);
    kept.colours = colours_[round];
}

// The neighbours' views through the static atoms of an object whose colour has changed.
void Colours::replace_views(ObjectId changed, std::size_t round) {
    Kept& kept = kept_[round];
    for (const Incidence& each : static_incidences(changed)) {
        const auto members = structure_.objects(each.atom);
        for (std::uint32_t place = 0; place < members.size(); ++place) {
            if (place == each.place) continue;
            const std::uint32_t slot = static_place_[atom_begin_[each.atom] + place];
            const Hash now = view(static_[slot], round);
            kept.sums[members[place]] += now - kept.views[slot];
            kept.views[slot] = now;
        }
    }
}

}  // namespace fsplan::relational
