// Atoms that contain two or more arguments of an action: static atoms, and fluent atoms that are true or open goals.
#pragma once

#include "containers/sorted.hpp"
#include "policies/relational/colours.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

// The argument with the most atoms is skipped: an atom that contains it and another argument is also an atom of the
// other one.
template <class Count>
ObjectId busiest(const std::vector<ObjectId>& objects, Count count) {
    return *std::ranges::max_element(objects, [&](ObjectId a, ObjectId b) { return count(a) < count(b); });
}

class Links {
public:
    // Structure and colours must outlive the links.
    Links(const Structure& structure, const Colours& colours)
        : structure_(structure), colours_(colours), static_(structure.task().action_count()),
          mark_(structure.object_count()) {}

    void read_new_actions() { static_.resize(structure_.action_count()); }
    // Finds the atoms in the current state of the colours. Returns a key: in states with the same key this action has
    // the same features.
    Hash find(ActionId action) {
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
    // The features of the atoms found last: a hash for each atom, with the arguments marked and other objects by their
    // first colour, and one for all of them together.
    // An atom with several arguments may be found once per argument; it counts once.
    const std::vector<Hash>& features() {
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

private:
    // The static atoms of an action; they are computed at its first occurrence.
    struct Static {
        std::uint32_t begin = 0, end = 0;                // in atoms_
        std::uint32_t others_begin = 0, others_end = 0;  // in others_
        bool known = false;
    };
    void mark(ActionId action) {
        marked_.clear();
        const auto objects = structure_.arguments(action);
        for (std::uint32_t i = 0; i < objects.size(); ++i) {
            if (mark_[objects[i]] != 0) continue;
            mark_[objects[i]] = i + 1;
            marked_.push_back(objects[i]);
        }
    }
    void unmark() {
        for (const ObjectId object : marked_) mark_[object] = 0;
    }
    const Static& static_atoms(ActionId action) {
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
    // Whether the atom, which contains this argument of the action, also contains another one.
    bool joins(AtomId atom, ObjectId object) const {
        const auto members = structure_.objects(atom);
        return std::ranges::any_of(members, [&](ObjectId member) { return member != object && mark_[member] != 0; });
    }
    // The keys of the atoms are summed up, because the order in which atoms are found may change.
    Hash key_of(AtomId atom) const {
        Hash key = join(colours_.label(atom), atom);
        for (const ObjectId object : structure_.objects(atom))
            if (mark_[object] == 0) key = join(key, colours_.of(0, object));
        return key;
    }
    Hash feature_of(AtomId atom) const {
        Hash link = join(join(tag::link, structure_.schema_hash(action_)), colours_.label(atom));
        for (const ObjectId object : structure_.objects(atom))
            link = join(link, mark_[object] != 0 ? mark_[object] : colours_.of(0, object));
        return link;
    }

    const Structure& structure_;
    const Colours& colours_;
    ActionId action_ = 0;
    std::vector<Static> static_;       // per action
    std::vector<AtomId> atoms_;        // static atoms of all actions visited so far
    std::vector<ObjectId> others_;     // objects in atoms_ that are not arguments of the action
    std::vector<AtomId> varying_;      // fluent atoms found last
    std::vector<std::uint32_t> mark_;  // object -> 1 + its position among the action's arguments, or 0
    std::vector<ObjectId> marked_;
    std::vector<Hash> features_;
};

}  // namespace fsplan::relational
