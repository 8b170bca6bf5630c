// The atoms that join two or more arguments of an action: static ones, and those that hold or are open goals.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/relational/colours.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

class Links {
public:
    // Both must outlive the links.
    Links(const Structure& structure, const Colours& colours);

    // Finds them in the state of the colours. The key: while it is the same for this action, so are the features.
    Hash find(ActionId action);
    // The features of those found last: a hash for each atom, with the arguments marked and other objects by their first
    // colour, and one for all of them together.
    const std::vector<Hash>& features();

private:
    // The static atoms of an action are found when it is first seen.
    struct Static {
        std::uint32_t begin = 0, end = 0;               // in atoms_
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
    std::vector<Static> static_;     // per action
    std::vector<AtomId> atoms_;      // static ones of all actions seen
    std::vector<ObjectId> others_;   // objects of these that are no arguments
    std::vector<AtomId> varying_;    // found last
    std::vector<std::uint32_t> mark_;  // per object: 1 + its place among the action's arguments, or 0
    std::vector<ObjectId> marked_;
    std::vector<Hash> features_;
};

}  // namespace fsplan::relational
