#include "invariants/invariant_operators.hpp"

namespace fsplan::invariants {

// Equivalence classes of terms that are assumed to be equal; a term that was never merged is its own class.
class Operator::Unifier {
public:
    explicit Unifier(const Operator& owner) : owner_(owner) {}

    Term find(Term term) const {
        for (const auto& [member, root] : terms_)
            if (member == term) return root;
        return term;
    }

    // Merges the classes of two terms; false if the terms cannot be equal.
    bool merge(Term a, Term b) {
        auto root_a = root(a), root_b = root(b);
        if (root_a == root_b) return true;
        for (const auto& [x, root_x] : terms_)
            for (const auto& [y, root_y] : terms_)
                if (root_x == root_a && root_y == root_b && owner_.distinct(x, y)) return false;
        for (auto& entry : terms_)
            if (entry.second == root_b) entry.second = root_a;
        return true;
    }

    bool merge_all(std::span<const Term> a, std::span<const Term> b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!merge(a[i], b[i])) return false;
        return true;
    }

    bool same(std::span<const Term> a, std::span<const Term> b) const {
        return std::ranges::equal(a, b, {}, [&](Term t) { return find(t); }, [&](Term t) { return find(t); });
    }

    bool distinct(std::span<const Term> a, std::span<const Term> b) const {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (owner_.distinct(find(a[i]), find(b[i]))) return true;
        return false;
    }

private:
    Term root(Term term) {
        auto known = find(term);
        if (std::ranges::none_of(terms_, [&](const TermPair& entry) { return entry.first == term; }))
            terms_.emplace_back(term, term);
        return known;
    }

    const Operator& owner_;
    std::vector<TermPair> terms_;
};

Operator::Operator(const lifted::Schema& schema, const World& world, std::span<const std::uint8_t> ever_equal)
    : world_(world), type_of_(schema.types), schema_variables_(schema.types.size()) {
    read_precondition(schema, ever_equal);
    for (const auto& effect : schema.effects) read_effect(effect);
    for (auto& add : adds_) find_deleted(add);
    for (auto& add : adds_) find_cleared(add);
}

void Operator::mark_unequal(Term a, Term b) {
    if (a >= 0 && b >= 0) {
        unequal_[static_cast<std::size_t>(a) * schema_variables_ + static_cast<std::size_t>(b)] = 1;
        unequal_[static_cast<std::size_t>(b) * schema_variables_ + static_cast<std::size_t>(a)] = 1;
    } else {
        unequal_to_object_.emplace_back(std::max(a, b), std::min(a, b));
    }
}

void Operator::read_precondition(const lifted::Schema& schema, std::span<const std::uint8_t> ever_equal) {
    auto shown = static_cast<std::size_t>(schema.shown_parameters);
    unequal_.resize(schema_variables_ * schema_variables_);
    meaning_.resize(schema_variables_);
    for (std::size_t v = 0; v < schema_variables_; ++v) meaning_[v] = static_cast<Term>(v);
    for (std::size_t a = 0; a < shown; ++a)
        for (std::size_t b = a + 1; b < shown; ++b)
            if (!ever_equal[a * shown + b]) mark_unequal(static_cast<Term>(a), static_cast<Term>(b));
    for (const auto& literal : schema.precondition) {
        if (literal.predicate != lifted::kEquality || literal.negated) continue;
        auto mean = [&](Term term) { return term < 0 ? term : meaning_[static_cast<std::size_t>(term)]; };
        auto kept = std::min(mean(literal.arguments[0]), mean(literal.arguments[1]));
        auto gone = std::max(mean(literal.arguments[0]), mean(literal.arguments[1]));
        for (auto& meaning : meaning_)
            if (meaning == gone) meaning = kept;
    }
    lifted::Effect nothing{};
    for (const auto& literal : schema.precondition) {
        auto known = renamed(literal, nothing, 0);
        if (literal.predicate != lifted::kEquality) precondition_.push_back(std::move(known));
        else if (literal.negated && (known.arguments[0] >= 0 || known.arguments[1] >= 0))
            mark_unequal(known.arguments[0], known.arguments[1]);
    }
}

void Operator::read_effect(const lifted::Effect& effect) {
    auto first = new_variables(effect);
    auto atom = renamed(effect.literal, effect, first);
    atom.negated = false;
    if (!effect.literal.negated) {
        adds_.push_back({atom, renamed_condition(effect, first), false, {}, {}});
        if (effect.types.empty()) return;
        first = new_variables(effect);
        adds_.push_back({renamed(effect.literal, effect, first), renamed_condition(effect, first), true, {}, {}});
    } else if (effect.constraints.empty()) {
        auto end = first + static_cast<Term>(effect.types.size());
        deletes_.push_back({atom, renamed_condition(effect, first), first, end});
    }
}

Term Operator::new_variables(const lifted::Effect& effect) {
    auto first = static_cast<Term>(type_of_.size());
    type_of_.insert(type_of_.end(), effect.types.begin(), effect.types.end());
    return first;
}

Literal Operator::renamed(const Literal& literal, const lifted::Effect& effect, Term first) const {
    auto result = literal;
    auto end = effect.first_variable + static_cast<Term>(effect.types.size());
    for (auto& term : result.arguments) {
        if (term >= effect.first_variable && term < end) term += first - effect.first_variable;
        else if (term >= 0) term = meaning_[static_cast<std::size_t>(term)];
    }
    return result;
}

std::vector<Literal> Operator::renamed_condition(const lifted::Effect& effect, Term first) const {
    std::vector<Literal> result;
    for (const auto& literal : effect.condition) result.push_back(renamed(literal, effect, first));
    return result;
}

bool Operator::distinct(Term a, Term b) const {
    if (a == b) return false;
    if (a < b) std::swap(a, b);
    if (a < 0) return true;  // a and b are different objects
    auto type_a = type_of_[static_cast<std::size_t>(a)];
    if (b < 0)
        return !world_.has(type_a, ~b) ||
               std::ranges::find(unequal_to_object_, TermPair(a, b)) != unequal_to_object_.end();
    if (world_.disjoint(type_a, type_of_[static_cast<std::size_t>(b)])) return true;
    if (static_cast<std::size_t>(a) >= schema_variables_) return false;
    return unequal_[static_cast<std::size_t>(a) * schema_variables_ + static_cast<std::size_t>(b)] != 0;
}

namespace {

bool same_atom(const Literal& a, const Literal& b) { return a.predicate == b.predicate && a.arguments == b.arguments; }

// Whether the literal is an inequality that is violated only if the deleted atom is the added one.
bool spares_only(const Literal& literal, Literal deleted, const Literal& added) {
    if (literal.predicate != lifted::kEquality || !literal.negated) return false;
    auto variable = std::max(literal.arguments[0], literal.arguments[1]);
    std::ranges::replace(deleted.arguments, variable, std::min(literal.arguments[0], literal.arguments[1]));
    return same_atom(deleted, added);
}

}  // namespace

bool Operator::requires_atom(const Literal& atom) const {
    return std::ranges::any_of(precondition_, [&](const Literal& l) { return !l.negated && same_atom(l, atom); });
}

// Whether the literal is certain to hold if the effect `add` happens and its atom was false before.
bool Operator::entailed(const Literal& literal, const Add& add) const {
    if (literal.predicate == lifted::kEquality) {
        if (!literal.negated) return literal.arguments[0] == literal.arguments[1];
        Unifier unifier(*this);
        return !unifier.merge(literal.arguments[0], literal.arguments[1]) || !consistent(unifier, add, add, false);
    }
    if (literal.negated && same_atom(literal, add.atom)) return true;
    auto is_it = [&](const Literal& known) { return known.negated == literal.negated && same_atom(known, literal); };
    return std::ranges::any_of(precondition_, is_it) || std::ranges::any_of(add.condition, is_it);
}

// Whether the delete effect, for some values of its variables, deletes the true atom `atom` whenever `add` happens.
bool Operator::deletes(const Delete& deletion, const Literal& atom, const Add& add) const {
    if (deletion.atom.predicate != atom.predicate) return false;
    std::vector<Term> chosen(static_cast<std::size_t>(deletion.end_variable - deletion.first_variable),
                             Cleared::kAnything);
    auto slot = [&](Term term) -> Term& { return chosen[static_cast<std::size_t>(term - deletion.first_variable)]; };
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        auto term = deletion.atom.arguments[i], wanted = atom.arguments[i];
        if (!deletion.quantifies(term)) {
            if (term != wanted) return false;
        } else if (slot(term) == Cleared::kAnything) {
            auto type = type_of_[static_cast<std::size_t>(term)];
            bool allowed = wanted < 0 ? world_.has(type, ~wanted)
                                      : world_.contains(type, type_of_[static_cast<std::size_t>(wanted)]);
            if (!allowed) return false;
            slot(term) = wanted;
        } else if (slot(term) != wanted) {
            return false;
        }
    }
    return std::ranges::all_of(deletion.condition, [&](Literal literal) {
        for (auto& term : literal.arguments)
            if (deletion.quantifies(term)) term = slot(term);
        return std::ranges::find(literal.arguments, Cleared::kAnything) == literal.arguments.end() &&
               entailed(literal, add);
    });
}

// The other effects of the action that may add `atom`, which was true before, together with the effect `add`.
std::vector<std::size_t> Operator::possible_adders(const Literal& atom, const Add& add) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < adds_.size(); ++i) {
        const auto& other = adds_[i];
        if (&other == &add || other.atom.predicate != atom.predicate) continue;
        Unifier unifier(*this);
        if (unifier.merge_all(other.atom.arguments, atom.arguments) && consistent(unifier, add, other, false))
            result.push_back(i);
    }
    return result;
}

void Operator::find_deleted(Add& add) const {
    auto consider = [&](const Literal& atom) {
        if (atom.negated || std::ranges::none_of(deletes_, [&](const Delete& d) { return deletes(d, atom, add); }))
            return;
        add.deleted.push_back({atom, possible_adders(atom, add)});
    };
    std::ranges::for_each(precondition_, consider);
    std::ranges::for_each(add.condition, consider);
}

// Finds patterns of atoms that are false after the action unless it adds them: atoms that a condition requires to be
// false, and the pattern of a delete effect that is certain to delete all its true atoms other than the one `add` adds.
void Operator::find_cleared(Add& add) const {
    for (const auto& deletion : deletes_) {
        Cleared pattern{deletion.atom.predicate, deletion.atom.arguments};
        bool clears = std::ranges::all_of(deletion.condition, [&](const Literal& literal) {
            return same_atom(literal, deletion.atom) || entailed(literal, add) ||
                   spares_only(literal, deletion.atom, add.atom);
        });
        for (std::size_t i = 0; clears && i < pattern.arguments.size(); ++i) {
            auto& term = pattern.arguments[i];
            if (!deletion.quantifies(term)) continue;
            clears = std::ranges::count(deletion.atom.arguments, term) == 1 &&
                     world_.covers(type_of_[static_cast<std::size_t>(term)], pattern.predicate, i);
            term = Cleared::kAnything;
        }
        if (clears) add.cleared.push_back(std::move(pattern));
    }
    auto consider = [&](const Literal& literal) {
        if (literal.negated && literal.predicate != lifted::kEquality)
            add.cleared.push_back({literal.predicate, literal.arguments});
    };
    std::ranges::for_each(precondition_, consider);
    std::ranges::for_each(add.condition, consider);
}

// Whether no two literals of the conditions of both effects contradict each other.
bool Operator::consistent(const Unifier& unifier, const Add& first, const Add& second, bool second_is_new) const {
    const std::array<const std::vector<Literal>*, 3> conditions{&precondition_, &first.condition, &second.condition};
    auto needed = [&](const Literal& atom) {
        return std::ranges::any_of(conditions, [&](const auto* condition) {
            return std::ranges::any_of(*condition, [&](const Literal& l) {
                return !l.negated && l.predicate == atom.predicate && unifier.same(l.arguments, atom.arguments);
            });
        });
    };
    auto contradicted = [&](const Literal& literal) {
        if (!literal.negated) return false;
        if (literal.predicate == lifted::kEquality)
            return unifier.find(literal.arguments[0]) == unifier.find(literal.arguments[1]);
        return needed(literal);
    };
    if (needed(first.atom) || (second_is_new && needed(second.atom))) return false;
    return std::ranges::none_of(conditions,
                                [&](const auto* condition) { return std::ranges::any_of(*condition, contradicted); });
}

// Whether the conditions require two different atoms of the instance, so that the effects cannot happen together.
bool Operator::crowded(const Unifier& unifier, const Add& first, const Add& second, const Instance& instance) const {
    const Literal* found = nullptr;
    for (const auto* condition : {&precondition_, &first.condition, &second.condition})
        for (const auto& literal : *condition) {
            const auto* part = literal.negated ? nullptr : instance.parts.find(literal.predicate);
            if (!part) continue;
            auto in_place = [&](std::size_t i) {
                auto term = literal.arguments[(*part)[i]];
                return unifier.find(term) == unifier.find(instance.parameters[i]);
            };
            std::size_t i = 0;
            while (i < part->size() && in_place(i)) ++i;
            if (i < part->size()) continue;
            if (found &&
                (found->predicate != literal.predicate || unifier.distinct(found->arguments, literal.arguments)))
                return true;
            found = &literal;
        }
    return false;
}

bool Operator::both_add(const Add& first, const Add& second, const Instance& instance, bool second_is_new) const {
    Unifier unifier(*this);
    for (const auto* add : {&first, &second}) {
        const auto& part = *instance.parts.find(add->atom.predicate);
        for (std::size_t i = 0; i < part.size(); ++i)
            if (!unifier.merge(add->atom.arguments[part[i]], instance.parameters[i])) return false;
    }
    if (first.atom.predicate == second.atom.predicate && unifier.same(first.atom.arguments, second.atom.arguments))
        return false;
    return consistent(unifier, first, second, second_is_new) && !crowded(unifier, first, second, instance);
}

void Operator::find_rivals(const Add& add, const Deleted& deleted, const Instance& instance,
                           std::vector<Part>& parts) const {
    for (auto number : deleted.unless) {
        const auto& adder = adds_[number];
        Unifier unifier(*this);
        unifier.merge_all(adder.atom.arguments, deleted.atom.arguments);
        if (crowded(unifier, add, adder, instance)) continue;
        auto unified = [&](std::vector<Term> terms) {
            for (auto& term : terms) term = unifier.find(term);
            return terms;
        };
        Instance same{instance.parts, unified(instance.parameters)};
        for (const auto* condition : {&precondition_, &add.condition, &adder.condition})
            for (const auto& literal : *condition)
                if (!literal.negated && world_.changes(literal.predicate))
                    find_parts(unified(literal.arguments), literal.predicate, same, parts);
        return;
    }
}

bool Operator::surely_deletes(const Add& add, const Deleted& deleted, const Instance& instance) const {
    return std::ranges::all_of(deleted.unless, [&](std::size_t number) {
        Unifier unifier(*this);
        unifier.merge_all(adds_[number].atom.arguments, deleted.atom.arguments);
        return crowded(unifier, add, adds_[number], instance);
    });
}

}  // namespace fsplan::invariants
