#include "instantiate/fixpoint.hpp"

namespace fsplan {

namespace {

constexpr std::uint32_t kReplanFactor = 4;

// A query that is evaluated again for every new row of its relations.
//
// Its ground atoms are not part of the join, because they do not depend on the variables. The query is suspended until
// all of them hold; then it is evaluated once for the existing rows, and from then on for every new row. Otherwise an
// action with k ground preconditions would be k queries of k steps each.
struct Query {
    enum class Kind : std::uint8_t { schema, effect, rule };
    Kind kind;
    Body body;
    Object* binding;
    CompiledSchema* schema = nullptr;
    CompiledEffect* effect = nullptr;
    CompiledRule* rule = nullptr;
    std::size_t missing = 0;  // number of ground atoms that do not hold yet
    bool dead = false;        // whether one of its ground atoms can never hold
};

// A query together with the atom that is matched with a new row. Its join order is recomputed as relations grow.
struct Trigger {
    std::size_t query;
    int atom;
    JoinPlan plan;
    std::uint32_t uses = 0;
    std::uint32_t next_plan = 0;
};

// A growing relation with the queries that its new rows trigger.
struct Watched {
    explicit Watched(Relation& relation, std::size_t objects)
        : relation(relation), awaited(std::make_unique<Relation>(relation.arity(), objects)) {}

    Relation& relation;
    std::vector<Trigger> triggers;
    std::unique_ptr<Relation> awaited;              // the ground atoms for which queries are suspended
    std::vector<std::vector<std::size_t>> waiting;  // row of `awaited` -> queries, once per ground atom
};

// An effect without fluent atoms in its condition; it is applied as soon as an instance of its action is found.
struct Immediate {
    CompiledEffect* effect;
    JoinPlan plan;
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
            if (live_atoms_[q].empty() && queries_[q].missing == 0 && !queries_[q].dead) start(queries_[q]);
        for (bool progress = true; progress;) {
            progress = false;
            for (auto& watched : watched_) progress |= process(watched);
        }
    }

private:
    void add(Query query) {
        std::vector<bool> variable;  // slot -> whether it is a variable; all other slots are constants
        for (const auto& [slot, type] : query.body.variables) {
            if (slot >= variable.size()) variable.resize(slot + 1);
            variable[slot] = true;
        }
        std::erase_if(query.body.atoms, [&](const BodyAtom& atom) {
            auto is_variable = [&](Slot slot) { return slot < variable.size() && variable[slot]; };
            if (!atom.relation->unique() || std::ranges::any_of(atom.slots, is_variable)) return false;
            wait_for(atom, query);
            return true;
        });
        queries_.push_back(std::move(query));
    }

    // Suspends the query, which is added to queries_ after this call, until the ground atom holds.
    void wait_for(const BodyAtom& atom, Query& query) {
        program_.watch.tick();
        row_.clear();
        for (auto slot : atom.slots) row_.push_back(query.binding[slot]);
        if (!atom.relation->grows()) {
            query.dead = query.dead || atom.relation->find(row_.data()) == Relation::kNone;
            return;
        }
        ++query.missing;
        auto& watched = watched_of(*atom.relation);
        if (watched.awaited->insert(row_.data())) watched.waiting.emplace_back();
        watched.waiting[watched.awaited->find(row_.data())].push_back(queries_.size());
    }

    void add_schema(CompiledSchema& schema) {
        add({Query::Kind::schema, schema.precondition.body, schema.binding.data(), &schema});
        for (auto& effect : schema.effects) {
            if (effect.literal.negated) continue;
            const auto& live = effect.condition.live;
            bool immediate = std::ranges::all_of(live, [](const auto& literal) { return literal.negated; });
            if (immediate)
                immediate_[number_of(schema)].push_back(
                    {&effect, make_join_plan(effect.condition.body, -1, program_.watch)});
            else add({Query::Kind::effect, effect_body(schema, effect), schema.binding.data(), &schema, &effect});
        }
    }

    // The query for an effect: instances of the action joined with the condition of the effect.
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

    // Registers the growing relations: fluent predicates, and instances of actions with conditional effects.
    void watch_triggers() {
        live_atoms_.resize(queries_.size());
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            const auto& atoms = queries_[q].body.atoms;
            for (int a = 0; a < static_cast<int>(atoms.size()); ++a)
                if (atoms[static_cast<std::size_t>(a)].relation->grows()) live_atoms_[q].push_back(a);
            bool dead = queries_[q].dead || std::ranges::any_of(atoms, [&](const BodyAtom& atom) {
                            return !atom.relation->grows() && atom.relation->active() == 0;
                        });
            if (dead) continue;
            for (auto a : live_atoms_[q])
                watched_of(*atoms[static_cast<std::size_t>(a)].relation).triggers.push_back({q, a, {}});
        }
        for (std::int32_t p = 0; p < program_.predicates(); ++p)
            if (program_.live(p)) watched_of(program_.relation(p));
    }

    Watched& watched_of(Relation& relation) {
        auto [place, added] = place_of_.try_emplace(&relation, watched_.size());
        if (added) watched_.emplace_back(relation, program_.anything()->objects.size());
        return watched_[place->second];
    }

    bool process(Watched& watched) {
        auto& relation = watched.relation;
        if (relation.active() == relation.size()) return false;
        while (relation.active() < relation.size()) {
            auto row = relation.active();
            relation.activate();
            program_.watch.tick();
            for (auto& trigger : watched.triggers) fire(trigger, relation, row);
            // Suspended queries are started after the triggers: their first evaluation includes this row, so it must not
            // trigger them as well.
            if (watched.waiting.empty()) continue;
            auto awaited = watched.awaited->find(relation.row(row));
            if (awaited != Relation::kNone) release(watched.waiting[awaited]);
        }
        return true;
    }

    void release(const std::vector<std::size_t>& queries) {
        for (auto q : queries)
            if (--queries_[q].missing == 0 && !queries_[q].dead) start(queries_[q]);
    }

    void fire(Trigger& trigger, const Relation& relation, Relation::Row row) {
        auto& query = queries_[trigger.query];
        if (query.missing > 0 || some_atom_has_no_row(query)) return;
        if (trigger.uses++ == trigger.next_plan) {
            trigger.plan = make_join_plan(query.body, trigger.atom, program_.watch);
            trigger.next_plan = kReplanFactor * trigger.uses;
        }
        if (!trigger.plan.trigger.match(relation.row(row), query.binding)) return;
        fsplan::run(trigger.plan, query.binding, program_.watch, [&] { return found(query); }, row);
    }

    bool some_atom_has_no_row(const Query& query) const {
        const auto& atoms = query.body.atoms;
        return std::ranges::any_of(atoms, [](const auto& atom) { return atom.relation->active() == 0; });
    }

    void start(Query& query) {
        if (some_atom_has_no_row(query)) return;
        auto plan = make_join_plan(query.body, -1, program_.watch);
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
        if (++actions_ > program_.most_actions) throw TooManyActions();
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
        if (rule.instances) rule.instances->insert(binding);
        insert(rule.head, binding);
    }

    void insert(const LiveLiteral& literal, const Object* binding) {
        row_.clear();
        for (auto slot : literal.slots) row_.push_back(binding[slot]);
        program_.relation(literal.predicate).insert(row_.data());
    }

    Program& program_;
    std::size_t actions_ = 0;  // number of instances of schemas
    std::vector<Query> queries_;
    std::vector<std::vector<int>> live_atoms_;       // per query
    std::vector<std::vector<Immediate>> immediate_;  // per schema
    std::vector<Watched> watched_;
    std::unordered_map<const Relation*, std::size_t> place_of_;  // relation -> index in watched_
    std::vector<Object> row_;
};

}  // namespace

void reach(Program& program) { Fixpoint(program).run(); }

}  // namespace fsplan
