#include "encode/translate.hpp"

#include "encode/context.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

// An effect of the current action; its condition is a slice of condition_.
struct Pending {
    std::uint32_t variable;
    bool is_add;
    std::uint32_t atom;
    std::uint32_t begin;
    std::uint32_t end;
};

// Whether no condition is negative. Then the ground task has the same relaxed reachability as the instantiated task.
bool only_positive_conditions(const lifted::Task& task) {
    auto positive = [](const auto& literals) {
        return std::ranges::all_of(literals,
                                   [](const auto& l) { return !l.negated || l.predicate == lifted::kEquality; });
    };
    return std::ranges::all_of(task.schemas, [&](const lifted::Schema& schema) {
        return schema.constraints.empty() && positive(schema.precondition) &&
               std::ranges::all_of(schema.effects, [&](const lifted::Effect& effect) {
                   return effect.constraints.empty() && positive(effect.condition);
               });
    });
}

void append_shifted(Rows& rows, std::span<const std::uint32_t> atom, std::size_t head, std::size_t tail) {
    for (std::size_t i = 0; i < atom.size(); ++i)
        rows.items.push_back(static_cast<std::uint32_t>(atom[i] + (i == 0 ? head : tail)));
    rows.end_row();
}

class Translator {
public:
    Translator(const lifted::Task& lifted, const propositional::Task& task, const MutexGroups& groups,
               const Variables& variables, const std::vector<std::uint8_t>& needed_rules)
        : lifted_(lifted), task_(task), variables_(variables), needed_rules_(needed_rules),
          context_(groups, task.atom.size()) {}

    Translation run(Budget& watch) {
        make_symbols();
        make_variables();
        make_room();
        for (std::uint32_t action = 0; action < task_.cost.size(); ++action) {
            watch.tick();
            translate_action(action);
        }
        out_.first_effect.push_back(static_cast<std::uint32_t>(out_.effect.size()));
        for (std::size_t rule = 0; rule < task_.rule_head.size(); ++rule) translate_rule(rule);
        all_kept_ &= out_.rule_head.empty();
        context_.clear();
        out_.solvable_relaxed = task_.goal_reachable && context_.assume(task_.goal);
        if (out_.solvable_relaxed) append_facts(task_.goal, out_.goal);
        out_.unit_cost = !lifted_.use_costs;
        // Instances of rules may have been removed, which can make derived atoms unreachable.
        return {std::move(out_), all_kept_ && lifted_.rules.empty() && only_positive_conditions(lifted_)};
    }

private:
    void make_symbols() {
        for (const auto& predicate : lifted_.predicates) out_.symbols.push_back(predicate.name);
        for (const auto& schema : lifted_.schemas) out_.symbols.push_back(schema.name);
        for (const auto& object : lifted_.objects) out_.symbols.push_back(object);
    }
    void make_variables() {
        auto first_object = lifted_.predicates.size() + lifted_.schemas.size();
        std::vector<std::uint8_t> initially(task_.atom.size());
        for (auto atom : task_.initial) initially[atom] = 1;
        out_.first_fact.push_back(0);
        for (std::uint32_t variable = 0; variable < variables_.members.size(); ++variable) {
            auto members = variables_.members[variable];
            auto value = variables_.none(variable);
            for (auto atom : members) {
                if (initially[atom]) value = variables_.value[atom];
                append_shifted(out_.fact_atom, task_.atom[atom], 0, first_object);
                out_.fact_negated.push_back(0);
            }
            bool binary = members.size() == 1;
            if (binary) append_shifted(out_.fact_atom, task_.atom[members[0]], 0, first_object);
            if (!binary) out_.fact_atom.end_row();
            out_.fact_negated.push_back(binary);
            out_.domain_size.push_back(static_cast<std::int32_t>(members.size() + 1));
            out_.layer.push_back(task_.derived[members[0]] ? 0 : -1);
            out_.initial.push_back(static_cast<std::int32_t>(value));
            out_.first_fact.push_back(static_cast<FactId>(out_.first_fact.back() + members.size() + 1));
        }
    }
    void make_room() {
        out_.precondition.begin.reserve(task_.precondition.begin.size());
        out_.precondition.items.reserve(task_.precondition.items.size());
        out_.first_effect.reserve(task_.first_effect.size());
        out_.effect.reserve(task_.effect.size());
        out_.effect_condition.begin.reserve(task_.effect_condition.begin.size());
        out_.cost.reserve(task_.cost.size());
        out_.action_atom.begin.reserve(task_.action_atom.begin.size());
        out_.action_atom.items.reserve(task_.action_atom.items.size());
    }
    void translate_action(std::uint32_t action) {
        context_.clear();
        bool possible = context_.assume(task_.precondition[action]);
        all_kept_ &= possible;
        if (!possible) return;
        collect_effects(action);
        auto first = static_cast<std::uint32_t>(out_.effect.size());
        for (std::size_t i = 0, j; i < pending_.size(); i = j) {
            for (j = i; j < pending_.size() && pending_[j].variable == pending_[i].variable;) ++j;
            emit_effects(std::span(pending_).subspan(i, j - i));
        }
        if (out_.effect.size() == first) return;
        out_.first_effect.push_back(first);
        append_facts(task_.precondition[action], out_.precondition.items);
        out_.precondition.end_row();
        out_.cost.push_back(task_.cost[action]);
        append_shifted(out_.action_atom, task_.action_atom[action], lifted_.predicates.size(),
                       lifted_.predicates.size() + lifted_.schemas.size());
    }
    // Fills pending_ with the possible and relevant effects, by variable, delete effects before add effects.
    void collect_effects(std::uint32_t action) {
        pending_.clear();
        condition_.clear();
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
            if (variables_.variable[task_.effect[e] >> 1] == kNoVariable) continue;
            further_.clear();
            for (auto literal : task_.effect_condition[e])
                if (!context_.implies(literal)) further_.push_back(literal);
            auto mark = context_.mark();
            auto atom = task_.effect[e] >> 1;
            bool is_add = (task_.effect[e] & 1) == 0;
            bool matters = context_.assume(further_) && (is_add || !context_.implies(task_.effect[e]));
            all_kept_ &= matters;
            if (matters) {
                auto begin = static_cast<std::uint32_t>(condition_.size());
                append_facts(further_, condition_);
                pending_.push_back(
                    {variables_.variable[atom], is_add, atom, begin, static_cast<std::uint32_t>(condition_.size())});
            }
            context_.undo(mark);
        }
        std::ranges::sort(pending_, {},
                          [](const Pending& e) { return std::tuple(e.variable, e.is_add, e.atom, e.begin); });
    }
    // Emits all effects on one variable. An unconditional add effect overrides all others. Otherwise delete effects are
    // emitted first, because the later of two effects wins if both happen.
    void emit_effects(std::span<const Pending> effects) {
        auto adds = std::ranges::find_if(effects, &Pending::is_add);
        auto settled = std::find_if(adds, effects.end(), [](const Pending& e) { return e.begin == e.end; });
        if (settled != effects.end()) {
            bool changes = !context_.holds(settled->atom);
            all_kept_ &= changes;
            if (changes) emit(*settled);
            return;
        }
        auto first = out_.effect.size();
        for (auto deletion = effects.begin(); deletion != adds; ++deletion)
            if (std::none_of(adds, effects.end(), [&](const Pending& add) { return subsumed(*deletion, add); }))
                emit(*deletion);
        bool can_be_deleted = out_.effect.size() != first;
        for (auto addition = adds; addition != effects.end(); ++addition) {
            bool holds_already = context_.holds(addition->atom) ||
                                 std::ranges::binary_search(condition(*addition), fact(addition->atom));
            if (can_be_deleted || !holds_already) emit(*addition);
        }
    }
    void emit(const Pending& effect) {
        auto& items = out_.effect_condition.items;
        auto given = condition(effect);
        items.insert(items.end(), given.begin(), given.end());
        if (effect.is_add) {
            out_.effect.push_back(fact(effect.atom));
        } else {
            out_.effect.push_back(none_fact(effect.variable));
            auto deleted = fact(effect.atom);
            bool known = variables_.members[effect.variable].size() == 1 || context_.holds(effect.atom) ||
                         std::ranges::binary_search(given, deleted);
            if (!known) {
                items.push_back(deleted);
                std::inplace_merge(items.begin() + out_.effect_condition.begin.back(), items.end() - 1, items.end());
            }
        }
        out_.effect_condition.end_row();
    }
    void translate_rule(std::size_t rule) {
        context_.clear();
        bool wanted = needed_rules_[rule] && variables_.variable[task_.rule_head[rule]] != kNoVariable;
        if (!wanted || !context_.assume(task_.rule_body[rule])) return;
        append_facts(task_.rule_body[rule], out_.rule_body.items);
        out_.rule_body.end_row();
        out_.rule_head.push_back(fact(task_.rule_head[rule]));
    }
    // Appends the facts of the literals, except negative literals that follow by a mutex group from an assumed atom.
    void append_facts(std::span<const Literal> literals, std::vector<FactId>& facts) {
        auto first = facts.size();
        for (auto literal : literals) {
            auto atom = literal >> 1;
            if ((literal & 1) == 0) facts.push_back(fact(atom));
            else if (!context_.excluded(atom)) facts.push_back(negation(atom));
        }
        std::sort(facts.begin() + static_cast<std::ptrdiff_t>(first), facts.end());
    }

    FactId fact(std::uint32_t atom) const {
        return out_.first_fact[variables_.variable[atom]] + variables_.value[atom];
    }
    FactId none_fact(std::uint32_t variable) const { return out_.first_fact[variable] + variables_.none(variable); }
    FactId negation(std::uint32_t atom) {
        auto twin = variables_.twin[atom];
        all_kept_ &= twin != kNoTwin;
        return twin == kNoTwin ? none_fact(variables_.variable[atom]) : fact(twin);
    }
    std::span<const FactId> condition(const Pending& effect) const {
        return {condition_.data() + effect.begin, effect.end - effect.begin};
    }
    // Whether the delete effect can be dropped, because the add effect happens whenever it changes the state.
    bool subsumed(const Pending& deletion, const Pending& addition) const {
        auto given = condition(deletion);
        return std::ranges::all_of(condition(addition), [&](FactId needed) {
            return needed == fact(deletion.atom) || std::ranges::binary_search(given, needed);
        });
    }

    const lifted::Task& lifted_;
    const propositional::Task& task_;
    const Variables& variables_;
    const std::vector<std::uint8_t>& needed_rules_;
    Context context_;
    GroundTask out_;
    std::vector<Pending> pending_;
    std::vector<FactId> condition_;
    std::vector<Literal> further_;  // literals of an effect condition that the precondition does not imply
    bool all_kept_ = true;
};

}  // namespace

Translation translate(const lifted::Task& lifted, const propositional::Task& task, const MutexGroups& groups,
                      const Variables& variables, const std::vector<std::uint8_t>& needed_rules, Budget& watch) {
    return Translator(lifted, task, groups, variables, needed_rules).run(watch);
}

}  // namespace fsplan
