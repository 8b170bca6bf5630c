#include "instantiate/residual.hpp"

namespace fsplan {

namespace {

using Kind = lifted::Formula::Kind;

constexpr std::size_t kMostCompared = 256;

// Calls visit() for each part of a conjunction or disjunction, or for the part of a quantifier under each binding of
// its variables, until visit() returns false.
template <class Visit>
bool each(const Constraint& constraint, Object* binding, Budget& watch, Visit visit) {
    if (constraint.kind == Kind::forall || constraint.kind == Kind::exists)
        return run(constraint.plan, binding, watch, [&] { return visit(constraint.parts[0]); });
    return std::ranges::all_of(constraint.parts, visit);
}

void normalise(Conjunction& literals) { sort_unique(literals); }

bool is_true(const Alternatives& alternatives) { return !alternatives.empty() && alternatives.front().empty(); }

}  // namespace

bool contradictory(const Conjunction& sorted) {
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if ((sorted[i] & 1) && sorted[i - 1] == sorted[i] - 1) return true;
    return false;
}

void minimise(Alternatives& alternatives) {
    if (alternatives.size() < 2) return;
    std::ranges::sort(alternatives,
                      [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    alternatives.erase(std::unique(alternatives.begin(), alternatives.end()), alternatives.end());
    if (alternatives.size() > kMostCompared) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        auto& candidate = alternatives[i];
        bool implied =
            std::any_of(alternatives.begin(), alternatives.begin() + static_cast<std::ptrdiff_t>(kept),
                        [&](const Conjunction& shorter) {
                            return std::includes(candidate.begin(), candidate.end(), shorter.begin(), shorter.end());
                        });
        if (!implied && kept++ != i) alternatives[kept - 1] = std::move(candidate);
    }
    alternatives.resize(kept);
}

// A conjunction under construction: single literals are collected and sorted once, disjunctions are multiplied out.
class Residual::Product {
public:
    Product(Residual& residual, Conjunction fixed) : residual_(residual), fixed_(std::move(fixed)) {}

    bool add(Alternatives&& factors) {
        if (factors.size() == 1) fixed_.insert(fixed_.end(), factors[0].begin(), factors[0].end());
        else residual_.multiply(choices_, std::move(factors));
        return !choices_.empty();
    }

    Alternatives finish() {
        normalise(fixed_);
        if (contradictory(fixed_)) return {};
        if (is_true(choices_)) return {std::move(fixed_)};
        residual_.multiply(choices_, {std::move(fixed_)});
        return std::move(choices_);
    }

private:
    Residual& residual_;
    Conjunction fixed_;
    Alternatives choices_{{}};
};

bool Residual::literals(const Condition& condition, const Object* binding, Conjunction& result) {
    result.clear();
    for (const auto& live : condition.live) {
        auto literal = ground(live, binding);
        if (literal == kFalse) return false;
        if (literal != kTrue) result.push_back(literal);
    }
    normalise(result);
    return !contradictory(result);
}

Alternatives Residual::of(const Condition& condition, Object* binding, std::size_t limit) {
    limit_ = limit;
    Conjunction fixed;
    if (!literals(condition, binding, fixed)) return {};
    Product product(*this, std::move(fixed));
    for (const auto& constraint : condition.constraints)
        if (!product.add(of(constraint, binding))) return {};
    return product.finish();
}

propositional::Literal Residual::ground(const LiveLiteral& literal, const Object* binding) {
    auto row = program_.find(literal, binding);
    if (row == Relation::kNone) return literal.negated ? kTrue : kFalse;
    return 2 * atom_of_[static_cast<std::size_t>(literal.predicate)][row] + literal.negated;
}

Alternatives Residual::of_literal(const LiveLiteral& literal, const Object* binding) {
    propositional::Literal value = kTrue;
    if (literal.predicate != lifted::kEquality && program_.live(literal.predicate)) value = ground(literal, binding);
    else if (!program_.holds(literal, binding)) value = kFalse;
    if (value == kFalse) return {};
    if (value == kTrue) return {{}};
    return {{value}};
}

Alternatives Residual::of(const Constraint& constraint, Object* binding) {
    switch (constraint.kind) {
        case Kind::literal: return of_literal(constraint.literal, binding);
        case Kind::conjunction:
        case Kind::forall: return all_of(constraint, binding);
        case Kind::disjunction:
        case Kind::exists: return any_of(constraint, binding);
    }
    return {};
}

Alternatives Residual::all_of(const Constraint& constraint, Object* binding) {
    Product product(*this, {});
    bool possible = each(constraint, binding, program_.watch,
                         [&](const Constraint& part) { return product.add(of(part, binding)); });
    return possible ? product.finish() : Alternatives{};
}

Alternatives Residual::any_of(const Constraint& constraint, Object* binding) {
    Alternatives alternatives;
    bool open = each(constraint, binding, program_.watch, [&](const Constraint& part) {
        auto more = of(part, binding);
        if (is_true(more)) return false;
        std::move(more.begin(), more.end(), std::back_inserter(alternatives));
        return true;
    });
    if (!open) return {{}};
    minimise(alternatives);
    return alternatives;
}

void Residual::multiply(Alternatives& alternatives, Alternatives factors) {
    if (alternatives.size() * factors.size() > limit_ && factors.size() > 1) {
        auto [named, added] = named_.try_emplace(factors, 0);
        if (added) named->second = name_(factors);
        factors = {{2 * named->second}};
    }
    Alternatives product;
    for (const auto& a : alternatives)
        for (const auto& b : factors) {
            Conjunction joined;
            std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(joined));
            if (!contradictory(joined)) product.push_back(std::move(joined));
        }
    minimise(product);
    alternatives = std::move(product);
}

}  // namespace fsplan
