#include "policies/relational/links.hpp"

#include <algorithm>

#include "containers/sorted.hpp"
#include "policies/relational/tags.hpp"

namespace fsplan::relational {

Links::Links(const Structure& structure, const Colours& colours)
    : structure_(structure), colours_(colours), static_(structure.task().action_count()),
      mark_(structure.object_count()) {}

void Links::mark(ActionId action) {
    marked_.clear();
    const auto objects = structure_.arguments(action);
    for (std::uint32_t i = 0; i < objects.size(); ++i) {
        if (mark_[objects[i]] != 0) continue;
        mark_[objects[i]] = i + 1;
        marked_.push_back(objects[i]);
    }
}

void Links::unmark() {
    for (const ObjectId object : marked_) mark_[object] = 0;
}

// Whether an atom of an argument contains another argument, too.
bool Links::joins(AtomId atom, ObjectId object) const {
    const auto members = structure_.objects(atom);
    return std::any_of(members.begin(), members.end(),
                       [&](ObjectId member) { return member != object && mark_[member] != 0; });
}

namespace {

// The argument with the most atoms is skipped: an atom that contains it and another argument is also an atom of the
// other one.
template <class Count>
ObjectId busiest(const std::vector<ObjectId>& objects, Count count) {
    return *std::max_element(objects.begin(), objects.end(),
                             [&](ObjectId a, ObjectId b) { return count(a) < count(b); });
}

}  // namespace

const Links::Static& Links::static_atoms(ActionId action) {
    Static& own = static_[action];
    if (own.known) return own;
    own = {static_cast<std::uint32_t>(atoms_.size()), 0, static_cast<std::uint32_t>(others_.size()), 0, true};
    const ObjectId left_out = busiest(marked_, [&](ObjectId object) { return colours_.static_count(object); });
    for (const ObjectId object : marked_) {
        if (object == left_out) continue;
        colours_.list_static_atoms(object, [&](AtomId atom) {
            if (!joins(atom, object)) return;
            atoms_.push_back(atom);
            for (const ObjectId member : structure_.objects(atom))
                if (mark_[member] == 0) others_.push_back(member);
        });
    }
    own.end = static_cast<std::uint32_t>(atoms_.size());
    own.others_end = static_cast<std::uint32_t>(others_.size());
    return own;
}

Hash Links::find(ActionId action) {
    action_ = action;
    varying_.clear();
    if (structure_.arguments(action).size() < 2) return 1;
    mark(action);
    const Static& own = static_atoms(action);
    Hash key = 1;
    for (auto i = own.others_begin; i < own.others_end; ++i) key = (key + colours_.of(0, others_[i])) * kOdd;
    const ObjectId left_out = busiest(marked_, [&](ObjectId object) { return colours_.varying_count(object); });
    for (const ObjectId object : marked_) {
        if (object == left_out) continue;
        colours_.list_varying_atoms(object, [&](AtomId atom) {
            if (!joins(atom, object)) return;
            varying_.push_back(atom);
            key += key_of(atom);
        });
    }
    unmark();
    return key;
}

// The keys of the atoms are summed up, because the order in which atoms are found may change.
Hash Links::key_of(AtomId atom) const {
    Hash key = join(colours_.label(atom), atom);
    for (const ObjectId object : structure_.objects(atom))
        if (mark_[object] == 0) key = join(key, colours_.of(0, object));
    return key;
}

Hash Links::feature_of(AtomId atom) const {
    Hash link = join(join(tag::link, structure_.schema_hash(action_)), colours_.label(atom));
    for (const ObjectId object : structure_.objects(atom))
        link = join(link, mark_[object] != 0 ? mark_[object] : colours_.of(0, object));
    return link;
}

// An atom with several arguments may be found once per argument; it counts once.
const std::vector<Hash>& Links::features() {
    features_.clear();
    if (structure_.arguments(action_).size() < 2) return features_;
    mark(action_);
    const Static& own = static_atoms(action_);
    for (auto i = own.begin; i < own.end; ++i) features_.push_back(feature_of(atoms_[i]));
    for (const AtomId atom : varying_) features_.push_back(feature_of(atom));
    unmark();
    sort_unique(features_);
    Hash all = 0;
    for (const Hash link : features_) all += mix(link);
    if (features_.size() > 1) features_.push_back(join(join(tag::links, structure_.schema_hash(action_)), all));
    return features_;
}

}  // namespace fsplan::relational
