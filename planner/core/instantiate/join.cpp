#include "instantiate/join.hpp"

#include <algorithm>

namespace fsplan {

namespace {

class Planner {
public:
    explicit Planner(const Body& body) : body_(body), filtered_(body.filters.size()), taken_(body.atoms.size()) {}

    Plan plan(int trigger) {
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
            bound_.push_back(variable.slot);
            plan_.steps.push_back(std::move(step));
            take_filters();
        }
        return std::move(plan_);
    }

private:
    const Variable* variable_of(Slot slot) const {
        for (const auto& variable : body_.variables)
            if (variable.slot == slot) return &variable;
        return nullptr;
    }

    bool unbound(Slot slot) const {
        return variable_of(slot) && std::find(bound_.begin(), bound_.end(), slot) == bound_.end();
    }

    Relation::Mask bound_columns(const BodyAtom& atom) const {
        Relation::Mask mask = 0;
        for (std::size_t c = 0; c < std::min(atom.slots.size(), Relation::kMaskColumns); ++c)
            if (!unbound(atom.slots[c])) mask |= Relation::Mask{1} << c;
        return mask;
    }

    // Rows expected to match, if columns were independent.
    double estimate(const BodyAtom& atom) const {
        auto mask = bound_columns(atom);
        double rows = atom.relation->active();
        for (std::size_t c = 0; c < std::min(atom.slots.size(), Relation::kMaskColumns); ++c)
            if (mask >> c & 1) rows /= static_cast<double>(std::max<std::size_t>(atom.relation->distinct(c), 1));
        return rows;
    }

    std::size_t best_atom() const {
        std::size_t best = body_.atoms.size();
        double best_estimate = 0;
        for (std::size_t i = 0; i < body_.atoms.size(); ++i) {
            if (taken_[i]) continue;
            auto rows = estimate(body_.atoms[i]);
            if (best == body_.atoms.size() || rows < best_estimate) best = i, best_estimate = rows;
        }
        return best;
    }

    // Binds the atom's free slots; columns in `known` are equal already.
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
            bound_.push_back(slot);
            const auto* variable = variable_of(slot);
            if (!variable->type->universal) pattern.types.push_back(*variable);
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
        if (atom.relation->unique() &&
            std::none_of(atom.slots.begin(), atom.slots.end(), [&](Slot slot) { return unbound(slot); })) {
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
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t i = 0; i < body_.filters.size(); ++i)
                if (!filtered_[i] && take_filter(body_.filters[i])) filtered_[i] = progress = true;
        }
    }

    bool take_filter(const Filter& filter) {
        auto free = std::count_if(filter.slots.begin(), filter.slots.end(), [&](Slot slot) { return unbound(slot); });
        Step step{.kind = Step::Kind::absent, .relation = filter.relation, .key = filter.slots, .pattern = {}};
        if (filter.kind == Filter::Kind::equal) step.kind = Step::Kind::equal;
        if (filter.kind == Filter::Kind::unequal) step.kind = Step::Kind::unequal;
        if (free == 1 && filter.kind == Filter::Kind::equal) {
            step.kind = Step::Kind::assign;
            if (!unbound(step.key[0])) std::swap(step.key[0], step.key[1]);
            step.variable = *variable_of(step.key[0]);
            bound_.push_back(step.key[0]);
        } else if (free > 0) {
            return false;
        }
        plan_.steps.push_back(std::move(step));
        return true;
    }

    const Body& body_;
    Plan plan_;
    std::vector<bool> filtered_;
    std::vector<bool> taken_;
    std::vector<Slot> bound_;
};

}  // namespace

Plan make_plan(const Body& body, int trigger) { return Planner(body).plan(trigger); }

}  // namespace fsplan
