#include "instantiate/fixpoint.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace fsplan {

namespace {

constexpr std::uint32_t kReplanFactor = 4;

// A query that is asked again for every new row of a relation it mentions.
struct Query {
    enum class Kind : std::uint8_t { schema, effect, rule };
    Kind kind;
    Body body;
    Object* binding;
    CompiledSchema* schema = nullptr;
    CompiledEffect* effect = nullptr;
    CompiledRule* rule = nullptr;
};

// The query as started by a row of one of its atoms. Plans follow the growth of the relations.
struct Trigger {
    std::size_t query;
    int atom;
    Plan plan;
    std::uint32_t uses = 0;
    std::uint32_t next_plan = 0;
};

// An effect whose condition has no live atom is applied as soon as its action is found.
struct Immediate {
    CompiledEffect* effect;
    Plan plan;
};

class Fixpoint {
public:
    explicit Fixpoint(Program& program) : program_(program) {
        immediate_.resize(program.schemas.size());
        for (auto& schema : program_.schemas) add_schema(schema);
        for (auto& rule : program_.rules)
            add({Query::Kind::rule, rule.body.body, rule.binding.data(), nullptr, nullptr, &rule});
    }

    void run() {
        watch_triggers();
        for (std::size_t q = 0; q < queries_.size(); ++q)
            if (live_atoms_[q].empty()) start(queries_[q]);
        for (bool progress = true; progress;) {
            progress = false;
            for (auto& [relation, triggers] : watched_) progress |= process(*relation, triggers);
        }
    }

private:
    void add(Query query) { queries_.push_back(std::move(query)); }

    void add_schema(CompiledSchema& schema) {
        add({Query::Kind::schema, schema.precondition.body, schema.binding.data(), &schema});
        for (auto& effect : schema.effects) {
            if (effect.literal.negated) continue;
            const auto& live = effect.condition.live;
            bool immediate = std::all_of(live.begin(), live.end(), [](const auto& literal) { return literal.negated; });
            if (immediate)
                immediate_[number_of(schema)].push_back({&effect, make_plan(effect.condition.body, -1)});
            else
                add({Query::Kind::effect, effect_body(schema, effect), schema.binding.data(), &schema, &effect});
        }
    }

    // The action's instances joined with the effect's condition.
    Body effect_body(CompiledSchema& schema, const CompiledEffect& effect) {
        Body body = effect.condition.body;
        BodyAtom instances{schema.instances.get(), std::vector<Slot>(schema.variables)};
        std::iota(instances.slots.begin(), instances.slots.end(), Slot{0});
        for (auto slot : instances.slots) body.variables.push_back({slot, program_.anything()});
        body.atoms.insert(body.atoms.begin(), std::move(instances));
        return body;
    }

    std::size_t number_of(const CompiledSchema& schema) const {
        return static_cast<std::size_t>(&schema - program_.schemas.data());
    }

    // Relations that grow: live predicates, and the instances that effects wait for.
    void watch_triggers() {
        live_atoms_.resize(queries_.size());
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            const auto& atoms = queries_[q].body.atoms;
            for (int a = 0; a < static_cast<int>(atoms.size()); ++a)
                if (atoms[static_cast<std::size_t>(a)].relation->grows()) live_atoms_[q].push_back(a);
            bool dead = std::any_of(atoms.begin(), atoms.end(), [&](const BodyAtom& atom) {
                return !atom.relation->grows() && atom.relation->active() == 0;
            });
            if (dead) continue;
            for (auto a : live_atoms_[q]) triggers_of(*atoms[static_cast<std::size_t>(a)].relation).push_back({q, a, {}});
        }
        for (std::int32_t p = 0; p < program_.predicates(); ++p)
            if (program_.live(p)) triggers_of(program_.relation(p));
    }

    std::vector<Trigger>& triggers_of(Relation& relation) {
        auto [place, added] = place_of_.try_emplace(&relation, watched_.size());
        if (added) watched_.emplace_back(&relation, std::vector<Trigger>{});
        return watched_[place->second].second;
    }

    bool process(Relation& relation, std::vector<Trigger>& triggers) {
        if (relation.active() == relation.size()) return false;
        while (relation.active() < relation.size()) {
            auto row = relation.active();
            relation.activate();
            program_.watch.tick();
            for (auto& trigger : triggers) fire(trigger, relation, row);
        }
        return true;
    }

    void fire(Trigger& trigger, const Relation& relation, Relation::Row row) {
        auto& query = queries_[trigger.query];
        for (const auto& atom : query.body.atoms)
            if (atom.relation->active() == 0) return;
        if (trigger.uses++ == trigger.next_plan) {
            trigger.plan = make_plan(query.body, trigger.atom);
            trigger.next_plan = kReplanFactor * trigger.uses;
        }
        if (!trigger.plan.trigger.match(relation.row(row), query.binding)) return;
        fsplan::run(trigger.plan, query.binding, program_.watch, [&] { return found(query); }, row);
    }

    void start(Query& query) {
        auto plan = make_plan(query.body, -1);
        fsplan::run(plan, query.binding, program_.watch, [&] { return found(query); });
    }

    bool found(Query& query) {
        switch (query.kind) {
            case Query::Kind::schema: found_action(*query.schema); break;
            case Query::Kind::effect:
                if (program_.possible(query.effect->condition.constraints, query.binding))
                    insert(query.effect->literal, query.binding);
                break;
            case Query::Kind::rule: found_rule(*query.rule); break;
        }
        return true;
    }

    void found_action(CompiledSchema& schema) {
        auto* binding = schema.binding.data();
        if (!program_.possible(schema.precondition.constraints, binding)) return;
        schema.instances->insert(binding);
        for (const auto& [effect, plan] : immediate_[number_of(schema)])
            fsplan::run(plan, binding, program_.watch, [&, effect = effect] {
                if (program_.possible(effect->condition.constraints, binding)) insert(effect->literal, binding);
                return true;
            });
    }

    void found_rule(CompiledRule& rule) {
        auto* binding = rule.binding.data();
        if (!program_.possible(rule.body.constraints, binding)) return;
        rule.instances->insert(binding);
        insert(rule.head, binding);
    }

    void insert(const LiveLiteral& literal, const Object* binding) {
        row_.clear();
        for (auto slot : literal.slots) row_.push_back(binding[slot]);
        program_.relation(literal.predicate).insert(row_.data());
    }

    Program& program_;
    std::vector<Query> queries_;
    std::vector<std::vector<int>> live_atoms_;        // per query
    std::vector<std::vector<Immediate>> immediate_;   // per schema
    std::vector<std::pair<Relation*, std::vector<Trigger>>> watched_;
    std::unordered_map<const Relation*, std::size_t> place_of_;  // in watched_
    std::vector<Object> row_;
};

}  // namespace

void reach(Program& program) { Fixpoint(program).run(); }

}  // namespace fsplan
