// Weisfeiler-Leman colours of the objects in a state.
//
// Objects are joined by atoms, as labelled hyperedges; an atom's label is its predicate and its status: true, true and
// wanted, wanted but not yet true, true but unwanted. The first colour of an object is its type (for a constant also its
// name) and its unary atoms. The next colour adds the multiset of its other atoms: label, own place, and the colours of
// the objects at the other places. With two rounds a block "on a block that is on the table" looks like every other such
// block, whatever the problem's size.
//
// A multiset is hashed as the sum of its members' hashes. So the sums over static atoms, which are most of a task's
// atoms, are kept from state to state, and only the terms whose colours have changed are replaced.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "policies/relational/structure.hpp"

namespace fsplan::relational {

inline constexpr std::size_t kRounds = 2;

class Colours {
public:
    explicit Colours(const Structure& structure);

    // Colours of the state with these values.
    void compute(std::span<const std::int32_t> values);

    // Round 0 is the first colour; round kRounds the finest.
    Hash of(std::size_t round, ObjectId object) const { return colours_[round][object]; }
    Hash finest(ObjectId object) const { return colours_[kRounds][object]; }
    // The labels of the atoms that may change: those that hold and the open goals; each once.
    std::span<const Hash> labels() const { return labels_; }
    Hash label_set() const { return label_set_; }
    bool holds(AtomId atom) const { return holds_[atom]; }

    // An atom that the object is an argument of, with its label.
    struct Incidence {
        AtomId atom;
        std::uint32_t place;  // of the object among the arguments
        Hash label;
    };
    std::span<const Incidence> static_incidences(ObjectId object) const { return row(static_, static_begin_, object); }
    std::span<const Incidence> varying_incidences(ObjectId object) const { return row(varying_, varying_begin_, object); }
    // How the object sees its neighbours through the atom, by their colours of a round.
    Hash view(const Incidence& incidence, std::size_t round) const;
    // The same through a static atom, given by its number among static_incidences; of a round but the finest.
    Hash static_view(ObjectId object, std::size_t number, std::size_t round) const {
        const std::size_t slot = static_begin_[object] + number;
        const bool is_unary = structure_.objects(static_[slot].atom).size() == 1;
        return is_unary ? view(static_[slot], round) : kept_[round].views[slot];
    }

private:
    static std::span<const Incidence> row(const std::vector<Incidence>& items, const std::vector<std::uint32_t>& begin,
                                          ObjectId object) {
        return {items.data() + begin[object], begin[object + 1] - begin[object]};
    }
    void list_static();
    void list_varying(std::span<const std::int32_t> values);
    void add_varying(AtomId atom, AtomStatus status);
    void sort_varying();
    void first_round();
    void next_round(std::size_t round);
    void update_static_sums(std::size_t round);
    void replace_views(ObjectId changed, std::size_t round);

    const Structure& structure_;
    std::array<std::vector<Hash>, kRounds + 1> colours_;
    std::vector<Incidence> static_, varying_;
    std::vector<std::uint32_t> static_begin_, varying_begin_;
    std::vector<std::uint32_t> static_place_;  // place of an atom's object in static_, flat by atom; see atom_begin_
    std::vector<std::uint32_t> atom_begin_;
    std::vector<Hash> static_unary_;           // per object: the sum of its static unary atoms
    // Per round: the colours that the kept views are of, the views, and their sums per object.
    struct Kept {
        std::vector<Hash> colours, views, sums;
    };
    std::array<Kept, kRounds> kept_;
    struct Active {
        AtomId atom;
        Hash label;
    };
    std::vector<Active> active_;
    std::vector<std::uint8_t> holds_;
    std::vector<Hash> labels_;
    Hash label_set_ = 0;
};

}  // namespace fsplan::relational
