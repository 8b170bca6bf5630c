#include "instantiate/join.hpp"

namespace fsplan {

namespace {

// Computes a join order greedily. The choice of the next step depends on the bound slots, and each slot is bound once.
// So atoms are sorted and filters are tested again only after a slot was bound, and k atoms over v variables take O(v ·
// k log k). This matters for tasks that were grounded before they were written as PDDL, in which k may be in the
// thousands.
class Planner {
public:
    Planner(const Body& body, Budget& watch)
        : body_(body), watch_(watch), filtered_(body.filters.size()), taken_(body.atoms.size()) {
        for (const auto& variable : body.variables) {
            if (variable.slot >= variable_of_.size()) variable_of_.resize(variable.slot + 1);
            variable_of_[variable.slot] = &variable;
        }
        bound_.resize(variable_of_.size());
    }

    JoinPlan plan(int trigger) {
        if (trigger >= 0) {
            taken_[static_cast<std::size_t>(trigger)] = true;
            plan_.trigger = pattern(body_.atoms[static_cast<std::size_t>(trigger)], 0);
        }
        take_filters();
        for (std::size_t left = body_.atoms.size() - (trigger >= 0); left > 0; --left) {
            take_atom(best_atom(), trigger);
            take_filters();
        }
        for (const auto& variable : body_.variables) {
            if (!unbound(variable.slot)) continue;
            Step step{.kind = Step::Kind::enumerate, .key = {}, .pattern = {}, .variable = variable};
            bind(variable.slot);
            plan_.steps.push_back(std::move(step));
            take_filters();
        }
        return std::move(plan_);
    }

private:
    bool unbound(Slot slot) const { return slot < bound_.size() && variable_of_[slot] != nullptr && !bound_[slot]; }

    void bind(Slot slot) {
        bound_[slot] = true;
        sorted_ = false;
        filters_taken_ = false;
    }

    Relation::Mask bound_columns(const BodyAtom& atom) const {
        Relation::Mask mask = 0;
        for (std::size_t c = 0; c < std::min(atom.slots.size(), Relation::kMaskColumns); ++c)
            if (!unbound(atom.slots[c])) mask |= Relation::Mask{1} << c;
        return mask;
    }

    // Expected number of matching rows, assuming that columns are independent.
    double estimate(const BodyAtom& atom) const {
        auto mask = bound_columns(atom);
        double rows = atom.relation->active();
        for (std::size_t c = 0; c < std::min(atom.slots.size(), Relation::kMaskColumns); ++c)
            if (mask >> c & 1) rows /= static_cast<double>(std::max<std::size_t>(atom.relation->distinct(c), 1));
        return rows;
    }

    // The atom of least estimate; the first among equals.
    std::size_t best_atom() {
        if (!sorted_) sort_atoms();
        return order_[next_++].second;
    }

    void sort_atoms() {
        order_.clear();
        next_ = 0;
        for (std::size_t i = 0; i < body_.atoms.size(); ++i) {
            watch_.tick();
            if (!taken_[i]) order_.emplace_back(estimate(body_.atoms[i]), i);
        }
        std::ranges::sort(order_);
        sorted_ = true;
    }

    // Binds the free slots of the atom. Columns in `known` are part of the key of the index and are not compared again.
    RowPattern pattern(const BodyAtom& atom, Relation::Mask known) {
        RowPattern pattern;
        for (std::uint32_t c = 0; c < atom.slots.size(); ++c) {
            auto slot = atom.slots[c];
            if (c < Relation::kMaskColumns && (known >> c & 1)) continue;
            if (!unbound(slot)) {
                pattern.repeats.emplace_back(c, slot);
                continue;
            }
            pattern.binds.emplace_back(c, slot);
            bind(slot);
            if (!variable_of_[slot]->type->universal) pattern.types.push_back(*variable_of_[slot]);
        }
        return pattern;
    }

    void take_atom(std::size_t number, int trigger) {
        const auto& atom = body_.atoms[number];
        taken_[number] = true;
        Step step{.kind = Step::Kind::scan, .relation = atom.relation, .key = {}, .pattern = {}};
        step.not_trigger = static_cast<int>(number) < trigger &&
                           body_.atoms[static_cast<std::size_t>(trigger)].relation == atom.relation;
        auto mask = bound_columns(atom);
        if (atom.relation->unique() && std::ranges::none_of(atom.slots, [&](Slot slot) { return unbound(slot); })) {
            step.kind = Step::Kind::check;
            step.key = atom.slots;
        } else if (mask != 0) {
            step.kind = Step::Kind::look_up;
            step.index = atom.relation->index(mask);
            for (std::size_t c = 0; c < std::min(atom.slots.size(), Relation::kMaskColumns); ++c)
                if (mask >> c & 1) step.key.push_back(atom.slots[c]);
        }
        if (step.kind != Step::Kind::check) step.pattern = pattern(atom, mask);
        plan_.steps.push_back(std::move(step));
    }

    void take_filters() {
        while (!filters_taken_) {
            filters_taken_ = true;
            for (std::size_t i = 0; i < body_.filters.size(); ++i) {
                watch_.tick();
                if (!filtered_[i] && take_filter(body_.filters[i])) filtered_[i] = true;
            }
        }
    }

    bool take_filter(const Filter& filter) {
        auto free = std::ranges::count_if(filter.slots, [&](Slot slot) { return unbound(slot); });
        Step step{.kind = Step::Kind::absent, .relation = filter.relation, .key = filter.slots, .pattern = {}};
        if (filter.kind == Filter::Kind::equal) step.kind = Step::Kind::equal;
        if (filter.kind == Filter::Kind::unequal) step.kind = Step::Kind::unequal;
        if (free == 1 && filter.kind == Filter::Kind::equal) {
            step.kind = Step::Kind::assign;
            if (!unbound(step.key[0])) std::swap(step.key[0], step.key[1]);
            step.variable = *variable_of_[step.key[0]];
            bind(step.key[0]);
        } else if (free > 0) {
            return false;
        }
        plan_.steps.push_back(std::move(step));
        return true;
    }

    const Body& body_;
    Budget& watch_;
    JoinPlan plan_;
    std::vector<bool> filtered_;
    std::vector<bool> taken_;
    std::vector<const Variable*> variable_of_;  // slot -> variable; null for a constant
    std::vector<bool> bound_;                   // slot -> whether its variable is bound
    // (estimate, number) of the atoms that remained when they were last sorted, in ascending order.
    std::vector<std::pair<double, std::size_t>> order_;
    std::size_t next_ = 0;        // index of the first entry of order_ that is not yet used
    bool sorted_ = false;         // whether no slot was bound since the last sorting
    bool filters_taken_ = false;  // whether no slot was bound since the filters were tested
};

}  // namespace

JoinPlan make_join_plan(const Body& body, int trigger, Budget& watch) { return Planner(body, watch).plan(trigger); }

}  // namespace fsplan
