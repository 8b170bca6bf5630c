#include "instantiate/program.hpp"

namespace fsplan {

namespace {

using Kind = lifted::Formula::Kind;

std::size_t variables_in(const std::vector<lifted::Formula>& formulas) {
    std::size_t count = 0;
    for (const auto& formula : formulas) {
        if (!formula.types.empty())
            count = std::max(count, static_cast<std::size_t>(formula.first_variable) + formula.types.size());
        count = std::max(count, variables_in(formula.parts));
    }
    return count;
}

std::size_t variables_in(const lifted::Schema& schema) {
    auto count = std::max(schema.types.size(), variables_in(schema.constraints));
    for (const auto& effect : schema.effects) {
        if (!effect.types.empty())
            count = std::max(count, static_cast<std::size_t>(effect.first_variable) + effect.types.size());
        count = std::max(count, variables_in(effect.constraints));
    }
    return count;
}

}  // namespace

// Compiles one schema or rule; constants get slots after all variables.
class Program::Compiler {
public:
    Compiler(Program& program, std::size_t variables) : program_(program), binding_(variables) {}

    std::vector<Object> binding() { return std::move(binding_); }

    LiveLiteral literal(const lifted::Literal& literal) {
        LiveLiteral result{literal.predicate, literal.negated, {}};
        for (auto term : literal.arguments) result.slots.push_back(slot(term));
        return result;
    }

    Condition condition(std::int32_t first_variable, const std::vector<std::int32_t>& types,
                        const std::vector<lifted::Literal>& literals, const std::vector<lifted::Formula>& constraints) {
        Condition result;
        result.body.variables = variables(first_variable, types);
        for (const auto& part : literals) add(result, literal(part));
        for (const auto& part : constraints) result.constraints.push_back(constraint(part));
        return result;
    }

private:
    Slot slot(lifted::Term term) {
        if (term >= 0) return static_cast<Slot>(term);
        auto [found, added] = slot_of_.try_emplace(~term, static_cast<Slot>(binding_.size()));
        if (added) binding_.push_back(~term);
        return found->second;
    }

    std::vector<Variable> variables(std::int32_t first, const std::vector<std::int32_t>& types) const {
        std::vector<Variable> result;
        for (auto type : types)
            result.push_back({static_cast<Slot>(first++), &program_.types_[static_cast<std::size_t>(type)]});
        return result;
    }

    void add(Condition& condition, LiveLiteral literal) {
        if (literal.predicate != lifted::kEquality && program_.live(literal.predicate))
            condition.live.push_back(literal);
        query(condition.body, literal);
    }

    // Negated fluent atoms are not part of a query, because relaxed reachability ignores them.
    void query(Body& body, const LiveLiteral& literal) {
        if (literal.predicate == lifted::kEquality) {
            auto kind = literal.negated ? Filter::Kind::unequal : Filter::Kind::equal;
            body.filters.push_back({kind, nullptr, literal.slots});
        } else if (!literal.negated) {
            body.atoms.push_back({&program_.relation(literal.predicate), literal.slots});
        } else if (!program_.live(literal.predicate)) {
            body.filters.push_back({Filter::Kind::absent, &program_.relation(literal.predicate), literal.slots});
        }
    }

    Constraint constraint(const lifted::Formula& formula) {
        Constraint result{formula.kind, {}, {}, {}};
        if (formula.kind == Kind::literal) {
            result.literal = literal(formula.literal);
        } else if (formula.kind == Kind::forall || formula.kind == Kind::exists) {
            Body guard;
            guard.variables = variables(formula.first_variable, formula.types);
            result.parts.push_back(guarded(formula.parts[0], formula.kind == Kind::exists, guard));
            result.plan = make_join_plan(guard, -1, program_.watch);
        } else {
            for (const auto& part : formula.parts) result.parts.push_back(constraint(part));
        }
        return result;
    }

    // Moves the static literals of the conjunction below an `exists` into the query for its choices; the same for the
    // disjunction below a `forall`, with the literals negated.
    Constraint guarded(const lifted::Formula& formula, bool exists, Body& guard) {
        auto list = exists ? Kind::conjunction : Kind::disjunction;
        Constraint rest{list, {}, {}, {}};
        auto take = [&](const lifted::Formula& part) {
            if (part.kind == Kind::literal && is_static(part.literal)) {
                auto literal = this->literal(part.literal);
                literal.negated ^= !exists;
                query(guard, literal);
            } else {
                rest.parts.push_back(constraint(part));
            }
        };
        if (formula.kind == list)
            for (const auto& part : formula.parts) take(part);
        else take(formula);
        return rest;
    }

    bool is_static(const lifted::Literal& literal) const {
        return literal.predicate == lifted::kEquality || !program_.live(literal.predicate);
    }

    Program& program_;
    std::vector<Object> binding_;
    std::unordered_map<Object, Slot> slot_of_;  // constant -> slot
};

Program::Program(const lifted::Task& task, Budget& watch, bool rule_instances) : watch(watch) {
    auto objects = task.objects.size();
    types_.reserve(task.objects_of_type.size() + 1);  // reserved, because queries hold pointers to types
    for (const auto& members : task.objects_of_type) {
        Type type{members, std::vector<std::uint8_t>(objects), members.size() == objects};
        for (auto object : members) type.member[static_cast<std::size_t>(object)] = 1;
        types_.push_back(std::move(type));
    }
    std::vector<Object> all(objects);
    std::iota(all.begin(), all.end(), 0);
    types_.push_back({std::move(all), std::vector<std::uint8_t>(objects, 1), true});

    for (std::size_t p = 0; p < task.predicates.size(); ++p) {
        const auto& predicate = task.predicates[p];
        live_.push_back(predicate.fluent || predicate.derived);
        auto arity = static_cast<std::size_t>(predicate.arity);
        relations_.push_back(std::make_unique<Relation>(arity, objects));
        const auto& rows = task.init[p].rows;
        if (arity == 0 && !rows.empty()) relations_[p]->insert(nullptr);
        for (std::size_t i = 0; arity > 0 && i < rows.size(); i += arity) relations_[p]->insert(rows.data() + i);
        initial_rows_.push_back(relations_[p]->size());
        if (!live_[p]) relations_[p]->activate_all();
    }

    for (const auto& schema : task.schemas) {
        Compiler compiler(*this, variables_in(schema));
        CompiledSchema compiled;
        compiled.variables = static_cast<Slot>(schema.types.size());
        compiled.precondition = compiler.condition(0, schema.types, schema.precondition, schema.constraints);
        for (const auto& effect : schema.effects)
            compiled.effects.push_back(
                {compiler.condition(effect.first_variable, effect.types, effect.condition, effect.constraints),
                 compiler.literal(effect.literal)});
        compiled.instances = std::make_unique<Relation>(schema.types.size(), objects, false);
        compiled.binding = compiler.binding();
        schemas.push_back(std::move(compiled));
    }
    for (const auto& rule : task.rules) {
        Compiler compiler(*this, std::max(rule.types.size(), variables_in(rule.constraints)));
        CompiledRule compiled;
        compiled.variables = static_cast<Slot>(rule.types.size());
        compiled.body = compiler.condition(0, rule.types, rule.body, rule.constraints);
        compiled.head = compiler.literal(rule.head);
        if (rule_instances) compiled.instances = std::make_unique<Relation>(rule.types.size(), objects, false);
        compiled.binding = compiler.binding();
        rules.push_back(std::move(compiled));
    }
    Compiler compiler(*this, variables_in(task.goal_constraints));
    goal.condition = compiler.condition(0, {}, task.goal, task.goal_constraints);
    goal.binding = compiler.binding();
}

Relation::Row Program::find(const LiveLiteral& literal, const Object* binding) {
    Object row[Relation::kMaskColumns];
    auto arity = literal.slots.size();
    if (arity <= Relation::kMaskColumns) {
        for (std::size_t i = 0; i < arity; ++i) row[i] = binding[literal.slots[i]];
        return relation(literal.predicate).find(row);
    }
    std::vector<Object> wide;
    for (auto slot : literal.slots) wide.push_back(binding[slot]);
    return relation(literal.predicate).find(wide.data());
}

bool Program::holds(const LiveLiteral& literal, const Object* binding) {
    bool positive = literal.predicate == lifted::kEquality ? binding[literal.slots[0]] == binding[literal.slots[1]]
                                                           : find(literal, binding) != Relation::kNone;
    return positive != literal.negated;
}

bool Program::possible(const std::vector<Constraint>& constraints, Object* binding) {
    return std::ranges::all_of(constraints, [&](const auto& part) { return possible(part, binding); });
}

bool Program::possible(const Constraint& constraint, Object* binding) {
    auto part_possible = [&](const Constraint& part) { return possible(part, binding); };
    const auto& parts = constraint.parts;
    switch (constraint.kind) {
        case Kind::literal: {
            const auto& literal = constraint.literal;
            return (literal.predicate != lifted::kEquality && live(literal.predicate)) || holds(literal, binding);
        }
        case Kind::conjunction: return std::ranges::all_of(parts, part_possible);
        case Kind::disjunction: return std::ranges::any_of(parts, part_possible);
        case Kind::forall: return run(constraint.plan, binding, watch, [&] { return part_possible(parts[0]); });
        case Kind::exists: return !run(constraint.plan, binding, watch, [&] { return !part_possible(parts[0]); });
    }
    return true;
}

}  // namespace fsplan
