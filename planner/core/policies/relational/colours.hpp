// Weisfeiler-Leman colours of the objects in a state.
//
// Objects are connected by atoms, as labelled hyperedges. The label of an atom is its predicate and its status: true,
// achieved goal, open goal, or true although the goal requires it to be false. The first colour of an object is its
// type (for a constant also its name) and its unary atoms. The next colour adds the multiset of its other atoms: label,
// own position, and the colours of the objects at the other positions. With two rounds a block "on a block that is on
// the table" looks like every other such block, whatever the problem's size.
//
// The hash of a multiset is the sum of the hashes of its members, so it can be updated incrementally. From one state to
// the next only atoms whose status has changed, and objects near them whose colours change, are processed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "policies/relational/collected.hpp"
#include "policies/relational/hash_table.hpp"
#include "policies/relational/label_counts.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

inline constexpr std::size_t kRounds = 2;

class Colours {
public:
    explicit Colours(const Structure& structure);

    // Computes the colours of the state with these values, incrementally from the last state.
    void compute(std::span<const std::int32_t> values);

    // Round 0 is the first colour; round kRounds the finest.
    Hash of(std::size_t round, ObjectId object) const { return colours_[round][object]; }
    // Hash of the finest colour and of the atoms of the object with the first colours of their other objects. Unlike
    // colours it distinguishes atoms, so it changes with every atom of the object.
    Hash signature(ObjectId object) const { return signatures_[object]; }
    // Labels of the fluent atoms that are true or open goals.
    const LabelCounts& label_counts() const { return label_counts_; }
    // Calls add once for each first colour of an object; first_colours() is a hash of their set.
    template <class Add>
    void list_first_colours(Add add) const {
        for (const Present& present : present_)
            if (present.count != 0) add(present.colour);
    }
    Hash first_colours() const { return first_colours_; }

    // The label of an atom that is true or an open goal; 0 for any other atom.
    Hash label(AtomId atom) const { return label_of_[atom]; }

    // Calls add for each atom of the object, as a hash of its label, the position and the colours of its other objects
    // in a round below kRounds. Unary atoms, which are the same in every round, are listed in round 0 only.
    template <class Add>
    void list_views(ObjectId object, std::size_t round, Add add) const {
        for (const Slot slot : static_slots_[object]) add_view(slot, round, add);
        for (const Slot slot : varying_slots_[object]) add_view(slot, round, add);
    }
    // Calls list(atom) for the static atoms of the object and for its fluent atoms that are true or open goals; twice
    // for an atom that contains the object twice.
    template <class List>
    void list_static_atoms(ObjectId object, List list) const {
        for (const Slot slot : static_slots_[object]) list(atom_of_slot_[slot]);
    }
    template <class List>
    void list_varying_atoms(ObjectId object, List list) const {
        for (const Slot slot : varying_slots_[object]) list(atom_of_slot_[slot]);
    }
    std::size_t static_count(ObjectId object) const { return static_slots_[object].size(); }
    std::size_t varying_count(ObjectId object) const { return varying_slots_[object].size(); }

private:
    // An argument position of an atom, numbered consecutively over all atoms.
    using Slot = std::uint32_t;

    template <class Add>
    void add_view(Slot slot, std::size_t round, Add add) const {
        if (round == 0 || arity(atom_of_slot_[slot]) > 1) add(views_[round][slot]);
    }
    std::size_t arity(AtomId atom) const { return first_slot_[atom + 1] - first_slot_[atom]; }
    void number_slots();
    void set_status(AtomId atom);
    void count_label(AtomId atom, int change);
    void attach(AtomId atom);
    void detach(AtomId atom);
    void apply_changes(std::span<const std::int32_t> values);
    void first_round();
    void next_round(std::size_t round);
    void update_view(Slot slot, std::size_t round);
    static Hash marked(Hash view, Slot slot) { return view == 0 ? 0 : join(view, slot); }
    void update_neighbours(ObjectId object, std::size_t round);
    void recolour(ObjectId object, std::size_t round, Hash colour);
    void count_first_colour(ObjectId object, int change);

    const Structure& structure_;
    std::array<std::vector<Hash>, kRounds + 1> colours_;
    std::vector<Slot> first_slot_;  // per atom
    std::vector<AtomId> atom_of_slot_;
    std::vector<ObjectId> object_of_slot_;
    std::vector<std::vector<Slot>> static_slots_,
        varying_slots_;                    // object -> slots; varying_slots_ has atoms that are true or open goals
    std::vector<std::uint32_t> position_;  // slot -> index in varying_slots_ of its object

    std::vector<std::int32_t> last_values_;
    std::vector<std::uint8_t> holds_, is_static_;
    std::vector<Hash> label_of_;
    std::vector<std::uint32_t> label_number_;  // per atom
    LabelCounts label_counts_;

    // A first colour, and the number of objects that have it now.
    struct Present {
        Hash colour;
        std::uint32_t count;
    };
    std::vector<Present> present_;
    HashTable<std::uint32_t> present_number_;  // colour -> index in present_
    Hash first_colours_ = 0;

    // Per round: the hash of each slot (0 if its atom has no label), and the sums of these per object.
    std::array<std::vector<Hash>, kRounds> views_, sums_;
    std::vector<Hash> unary_;       // per object: the sum of its unary atoms
    std::vector<Hash> signatures_;  // per object
    Collected touched_;             // atoms whose truth may have changed
    Collected dirty_atoms_;         // atoms whose label has changed
    Collected dirty_;               // objects whose next colour must be recomputed
    Collected changed_;             // objects whose colour of this round has changed
};

}  // namespace fsplan::relational
