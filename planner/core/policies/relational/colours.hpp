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

#include "policies/relational/collected.hpp"
#include "policies/relational/hash_table.hpp"
#include "policies/relational/label_counts.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

inline constexpr std::size_t kRounds = 2;

class Colours {
public:
    explicit Colours(const Structure& structure)
        : structure_(structure), static_slots_(structure.object_count()), varying_slots_(structure.object_count()),
          last_values_(structure.task().variable_count(), -1), holds_(structure.atom_count()),
          is_static_(structure.atom_count()), label_of_(structure.atom_count()), label_number_(structure.atom_count()),
          label_counts_(structure), unary_(structure.object_count()), signatures_(structure.object_count()),
          touched_(structure.atom_count()), dirty_atoms_(structure.atom_count()), dirty_(structure.object_count()),
          changed_(structure.object_count()) {
        for (auto& round : colours_) round.resize(structure.object_count());
        for (auto& round : sums_) round.resize(structure.object_count());
        number_slots();
        // The colours of the first state are computed from scratch: every static atom, goal and object counts as
        // changed.
        for (const AtomId atom : structure.static_atoms()) {
            holds_[atom] = is_static_[atom] = 1;
            touched_.add(atom);
        }
        for (const AtomId goal : structure.goals()) touched_.add(goal);
        for (ObjectId object = 0; object < structure.object_count(); ++object) dirty_.add(object);
    }

    // Computes the colours of the state with these values, incrementally from the last state.
    void compute(std::span<const std::int32_t> values) {
        apply_changes(values);
        first_round();
        for (std::size_t round = 0; round < kRounds; ++round) next_round(round);
        changed_.clear();
        dirty_atoms_.clear();
    }

    // Round 0 is the first colour; round kRounds the finest.
    Hash of(std::size_t round, ObjectId object) const { return colours_[round][object]; }
    // Hash of the finest colour, and of the labels of the object's atoms and the first colours of their other objects.
    // Colours do not tell which atoms have which label; the signature does, because it includes the atoms' numbers.
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
    void number_slots() {
        for (AtomId atom = 0; atom < structure_.atom_count(); ++atom) {
            first_slot_.push_back(static_cast<Slot>(object_of_slot_.size()));
            for (const ObjectId object : structure_.objects(atom)) {
                object_of_slot_.push_back(object);
                atom_of_slot_.push_back(atom);
            }
        }
        first_slot_.push_back(static_cast<Slot>(object_of_slot_.size()));
        position_.resize(object_of_slot_.size());
        for (auto& round : views_) round.resize(object_of_slot_.size());
    }
    void set_status(AtomId atom) {
        const bool is_open = !holds_[atom] && structure_.goal_kind(atom) == GoalKind::wanted;
        const AtomStatus status = is_open ? AtomStatus::open_goal : structure_.status_if_true(atom);
        const Hash label = holds_[atom] || is_open ? structure_.label(atom, status) : 0;
        if (label == label_of_[atom]) return;
        dirty_atoms_.add(atom);
        if (label_of_[atom] != 0) {
            count_label(atom, -1);
            if (label == 0) detach(atom);
        }
        const bool was_there = label_of_[atom] != 0;
        label_of_[atom] = label;
        label_number_[atom] = structure_.label_number(atom, status);
        if (label == 0) return;
        count_label(atom, 1);
        if (!was_there) attach(atom);
    }
    void count_label(AtomId atom, int change) {
        if (!is_static_[atom]) label_counts_.add(label_number_[atom], change);
    }
    void attach(AtomId atom) {
        for (Slot slot = first_slot_[atom]; slot < first_slot_[atom + 1]; ++slot) {
            auto& slots =
                is_static_[atom] ? static_slots_[object_of_slot_[slot]] : varying_slots_[object_of_slot_[slot]];
            position_[slot] = static_cast<std::uint32_t>(slots.size());
            slots.push_back(slot);
        }
    }
    void detach(AtomId atom) {
        for (Slot slot = first_slot_[atom]; slot < first_slot_[atom + 1]; ++slot) {
            auto& slots = varying_slots_[object_of_slot_[slot]];
            slots[position_[slot]] = slots.back();
            position_[slots.back()] = position_[slot];
            slots.pop_back();
        }
    }
    void apply_changes(std::span<const std::int32_t> values) {
        const GroundTask& task = structure_.task();
        const auto atom_of = [&](std::size_t variable, std::int32_t value) {
            return value < 0 ? kNoAtom
                             : structure_.atom_of_fact(task.first_fact[variable] + static_cast<FactId>(value));
        };
        const auto change = [&](AtomId atom, bool holds) {
            if (atom == kNoAtom) return;
            holds_[atom] = holds ? 1 : 0;
            touched_.add(atom);
        };
        for (std::size_t variable = 0; variable < values.size(); ++variable)
            if (values[variable] != last_values_[variable]) change(atom_of(variable, last_values_[variable]), false);
        for (std::size_t variable = 0; variable < values.size(); ++variable) {
            if (values[variable] == last_values_[variable]) continue;
            change(atom_of(variable, values[variable]), true);
            last_values_[variable] = values[variable];
        }
        for (const AtomId atom : touched_.numbers()) set_status(atom);
        touched_.clear();
        label_counts_.compare();
    }
    void first_round() {
        for (const AtomId atom : dirty_atoms_.numbers()) {
            if (arity(atom) != 1) continue;
            const Slot slot = first_slot_[atom];
            const Hash now = label_of_[atom] == 0 ? 0 : join(label_of_[atom], 0);
            unary_[object_of_slot_[slot]] += now - views_[0][slot];
            views_[0][slot] = now;
            dirty_.add(object_of_slot_[slot]);
        }
        for (const ObjectId object : dirty_.numbers()) {
            const Hash colour = join(structure_.object_hash(object), unary_[object]);
            if (colours_[0][object] == colour) continue;
            if (colours_[0][object] != 0) count_first_colour(object, -1);
            recolour(object, 0, colour);
            count_first_colour(object, 1);
        }
    }
    // dirty_ keeps the objects whose colours of earlier rounds were recomputed, because later colours depend on these.
    void next_round(std::size_t round) {
        for (const AtomId atom : dirty_atoms_.numbers()) {
            if (arity(atom) == 1) continue;
            for (Slot slot = first_slot_[atom]; slot < first_slot_[atom + 1]; ++slot) update_view(slot, round);
        }
        for (const ObjectId object : changed_.numbers()) update_neighbours(object, round);
        changed_.clear();
        for (const ObjectId object : dirty_.numbers())
            recolour(object, round + 1, join(colours_[round][object], sums_[round][object]));
        if (round + 1 == kRounds) dirty_.clear();
    }
    void update_view(Slot slot, std::size_t round) {
        const AtomId atom = atom_of_slot_[slot];
        const Slot first = first_slot_[atom];
        Hash now = 0;
        if (label_of_[atom] != 0) {
            now = join(label_of_[atom], slot - first);
            for (Slot other = first; other < first_slot_[atom + 1]; ++other)
                if (other != slot) now = join(now, colours_[round][object_of_slot_[other]]);
        }
        const ObjectId object = object_of_slot_[slot];
        const Hash before = std::exchange(views_[round][slot], now);
        sums_[round][object] += now - before;
        if (round == 0) signatures_[object] += marked(now, slot) - marked(before, slot);
        dirty_.add(object);
    }
    static Hash marked(Hash view, Slot slot) { return view == 0 ? 0 : join(view, slot); }
    void update_neighbours(ObjectId object, std::size_t round) {
        const auto update = [&](const std::vector<Slot>& slots) {
            for (const Slot own : slots) {
                const AtomId atom = atom_of_slot_[own];
                for (Slot slot = first_slot_[atom]; slot < first_slot_[atom + 1]; ++slot)
                    if (slot != own) update_view(slot, round);
            }
        };
        update(static_slots_[object]);
        update(varying_slots_[object]);
    }
    void recolour(ObjectId object, std::size_t round, Hash colour) {
        Hash& own = colours_[round][object];
        if (own == colour) return;
        if (round == kRounds) signatures_[object] += colour - own;
        own = colour;
        changed_.add(object);
    }
    void count_first_colour(ObjectId object, int change) {
        const Hash colour = colours_[0][object];
        const std::uint32_t* number = present_number_.find(colour);
        if (number == nullptr) {  // a new colour
            present_number_.insert(colour, static_cast<std::uint32_t>(present_.size()));
            present_.push_back({colour, 0});
            number = present_number_.find(colour);
        }
        std::uint32_t& count = present_[*number].count;
        if (count == 0) first_colours_ += mix(colour);
        count += static_cast<std::uint32_t>(change);
        if (count == 0) first_colours_ -= mix(colour);
    }

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
    std::vector<Hash> unary_;       // per object: the sum of the hashes of its unary atoms
    std::vector<Hash> signatures_;  // per object
    Collected touched_;             // atoms whose truth may have changed
    Collected dirty_atoms_;         // atoms whose label has changed
    Collected dirty_;               // objects whose next colour must be recomputed
    Collected changed_;             // objects whose colour of this round has changed
};

}  // namespace fsplan::relational
