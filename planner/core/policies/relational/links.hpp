// Atoms that contain two or more arguments of an action: static atoms, and fluent atoms that are true or open goals.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/relational/colours.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

class Links {
public:
    // Structure and colours must outlive the links.
    Links(const Structure& structure, const Colours& colours);

    // Finds the atoms in the state of the colours. Returns a key: as long as it is the same for this action, so are the
    // features.
    Hash find(ActionId action);
    // The features of the atoms found last: a hash for each atom, with the arguments marked and other objects by their
    // first colour, and one for all of them together.
    const std::vector<Hash>& features();

private:
    // The static atoms of an action; they are computed at its first occurrence.
    struct Static {
        std::uint32_t begin = 0, end = 0;                // in atoms_
        std::uint32_t others_begin = 0, others_end = 0;  // in others_
        bool known = false;
    };
    void mark(ActionId action);
    void unmark();
    const Static& static_atoms(ActionId action);
    bool joins(AtomId atom, ObjectId object) const;
    Hash key_of(AtomId atom) const;
    Hash feature_of(AtomId atom) const;

    const Structure& structure_;
    const Colours& colours_;
    ActionId action_ = 0;
    std::vector<Static> static_;       // per action
    std::vector<AtomId> atoms_;        // static ones of all actions seen
    std::vector<ObjectId> others_;     // their objects that are not arguments
    std::vector<AtomId> varying_;      // fluent atoms found last
    std::vector<std::uint32_t> mark_;  // object -> 1 + its position among the action's arguments, or 0
    std::vector<ObjectId> marked_;
    std::vector<Hash> features_;
};

}  // namespace fsplan::relational
