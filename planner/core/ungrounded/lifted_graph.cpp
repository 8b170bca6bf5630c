#include "ungrounded/lifted_graph.hpp"

#include "containers/sorted.hpp"
#include "ungrounded/fluent_atoms.hpp"

namespace fsplan {

namespace {

lifted::Task with_static_predicates(lifted::Task task) {
    for (auto& predicate : task.predicates) predicate.fluent = false;
    for (std::size_t p = 0; p < task.predicates.size(); ++p) task.init[p].rows.clear();
    return task;
}

void read_row(const lifted::Literal& literal, const Object* binding, std::vector<Object>& row) {
    row.clear();
    for (const auto term : literal.arguments) row.push_back(term < 0 ? ~term : binding[term]);
}

bool are_equal(const lifted::Literal& one, const lifted::Literal& other, const Object* binding) {
    if (one.predicate != other.predicate) return false;
    const auto object = [&](lifted::Term term) { return term < 0 ? ~term : binding[term]; };
    return std::ranges::equal(one.arguments, other.arguments, {}, object, object);
}

}  // namespace

LiftedGraph::LiftedGraph(lifted::Task task, Budget watch, bool merge_twins)
    : lifted_(std::move(task)), watch_(std::move(watch)), merge_twins_(merge_twins), costs_(lifted_), twins_(lifted_) {
    auto found = find_fluent_atoms(lifted_, watch_);
    goal_reachable_ = found.goal_reachable;
    make_symbols();
    make_variables(found);
    make_goal(found);
    make_program(found);
    make_queries();
}

void LiftedGraph::make_symbols() {
    for (const auto& predicate : lifted_.predicates) task_.symbols.push_back(predicate.name);
    for (const auto& schema : lifted_.schemas) task_.symbols.push_back(schema.name);
    for (const auto& object : lifted_.objects) task_.symbols.push_back(object);
    task_.unit_cost = !lifted_.use_costs;
    task_.first_effect.push_back(0);
    task_.first_fact.push_back(0);
}

// Makes one variable per fluent atom; its value is 0 if the atom is true, 1 if it is false.
void LiftedGraph::make_variables(const FluentAtoms& found) {
    const std::size_t first_object = lifted_.predicates.size() + lifted_.schemas.size();
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(lifted_.predicates.size()); ++p) {
        const auto arity = static_cast<std::size_t>(lifted_.predicates[static_cast<std::size_t>(p)].arity);
        Relation initial(arity, lifted_.objects.size());
        const auto& rows = lifted_.init[static_cast<std::size_t>(p)].rows;
        if (arity == 0 && !rows.empty()) initial.insert(nullptr);
        for (std::size_t at = 0; arity > 0 && at < rows.size(); at += arity) initial.insert(rows.data() + at);
        atoms_.emplace_back(arity, lifted_.objects.size());
        first_variable_.push_back(static_cast<std::uint32_t>(task_.variable_count()));
        for (const auto& atom : found.fluent[static_cast<std::size_t>(p)]) {
            atoms_.back().insert(atom.data());
            predicate_of_.push_back(p);
            for (const std::uint8_t negated : {0, 1}) {
                task_.fact_atom.items.push_back(static_cast<std::uint32_t>(p));
                for (const Object object : atom)
                    task_.fact_atom.items.push_back(static_cast<std::uint32_t>(first_object) +
                                                    static_cast<std::uint32_t>(object));
                task_.fact_atom.end_row();
                task_.fact_negated.push_back(negated);
            }
            task_.domain_size.push_back(2);
            task_.layer.push_back(-1);
            task_.initial.push_back(initial.find(atom.data()) == Relation::kNone ? 1 : 0);
            task_.first_fact.push_back(task_.first_fact.back() + 2);
        }
    }
    layout_.emplace(task_);
    start_.resize(layout_->words);
    successor_.resize(layout_->words);
    for (std::size_t v = 0; v < width(); ++v) layout_->field[v].set(start_.data(), static_cast<Word>(task_.initial[v]));
}

void LiftedGraph::make_goal(const FluentAtoms& found) {
    std::vector<Object> row;
    for (const auto& goal : lifted_.goal) {
        if (goal.predicate == lifted::kEquality) continue;
        read_row(goal, nullptr, row);
        if (const auto variable = variable_of(goal.predicate, row))
            task_.goal.push_back(2 * *variable + (goal.negated ? 1 : 0));
        else if (goal.negated &&
                 std::ranges::binary_search(found.constant[static_cast<std::size_t>(goal.predicate)], row))
            goal_reachable_ = false;
    }
    sort_unique(task_.goal);
    goal_ = layout_->tests(task_, task_.goal);
    task_.solvable_relaxed = goal_reachable_;
}

// Fills the relations of static predicates, which are the same in all states.
void LiftedGraph::make_program(const FluentAtoms& found) {
    program_.emplace(with_static_predicates(lifted_), watch_);
    constant_ = found.constant;
    for (std::int32_t p = 0; p < program_->predicates(); ++p) {
        const auto number = static_cast<std::size_t>(p);
        for (const auto& atom : constant_[number]) twins_.add_constant(p, atom);
        if (lifted_.predicates[number].fluent) continue;
        Relation& relation = program_->relation(p);
        const auto& rows = lifted_.init[number].rows;
        if (relation.arity() == 0 && !rows.empty()) relation.insert(nullptr);
        for (std::size_t at = 0; relation.arity() > 0 && at < rows.size(); at += relation.arity()) {
            relation.insert(rows.data() + at);
            twins_.add_constant(p, {rows.data() + at, relation.arity()});
        }
        relation.activate_all();
    }
}

void LiftedGraph::make_queries() {
    queries_.resize(lifted_.schemas.size());
    for (std::size_t s = 0; s < queries_.size(); ++s) {
        Query& query = queries_[s];
        query.body = program_->schemas[s].precondition.body;
        query.most.resize(lifted_.objects.size());
        query.types.resize(query.body.variables.size());
        for (std::size_t i = 0; i < query.types.size(); ++i) {
            const Type& type = *query.body.variables[i].type;
            query.whole.push_back(&type);
            query.types[i] = type;
            query.types[i].universal = false;
            query.body.variables[i].type = &query.types[i];
            for (const Object object : type.objects) ++query.most[static_cast<std::size_t>(object)];
        }
        const auto& schema = lifted_.schemas[s];
        const bool is_new = s == 0 || lifted_.schemas[s - 1].name != schema.name;
        if (is_new) known_.push_back({{static_cast<std::size_t>(schema.shown_parameters), lifted_.objects.size()}, {}});
        known_number_.push_back(known_.size() - 1);
    }
}

bool LiftedGraph::costs_differ() const {
    if (!lifted_.use_costs) return false;
    std::set<std::int64_t> costs;
    for (const auto& schema : lifted_.schemas) {
        std::int64_t constant = 0;
        bool varies = false;
        for (const auto& term : schema.cost) {
            varies = varies || term.function >= 0;
            constant += term.function < 0 ? term.constant : 0;
        }
        if (varies) return true;
        costs.insert(constant);
    }
    return costs.size() > 1;
}

std::optional<std::uint32_t> LiftedGraph::variable_of(std::int32_t predicate, const std::vector<Object>& row) const {
    const auto found = atoms_[static_cast<std::size_t>(predicate)].find(row.data());
    if (found == Relation::kNone) return std::nullopt;
    return first_variable_[static_cast<std::size_t>(predicate)] + found;
}

// Fills the relations of the fluent predicates with the atoms of the state.
void LiftedGraph::set_state(State state) {
    twins_.clear();
    const auto insert = [&](std::int32_t predicate, const Object* row) {
        Relation& relation = program_->relation(predicate);
        relation.insert(row);
        relation.activate();
    };
    for (std::int32_t p = 0; p < program_->predicates(); ++p) {
        if (!lifted_.predicates[static_cast<std::size_t>(p)].fluent) continue;
        program_->relation(p).clear();
        for (const auto& atom : constant_[static_cast<std::size_t>(p)]) insert(p, atom.data());
    }
    for (std::uint32_t v = 0; v < predicate_of_.size(); ++v) {
        if (layout_->field[v].get(state) != 0) continue;
        const std::int32_t predicate = predicate_of_[v];
        const Relation& atoms = atoms_[static_cast<std::size_t>(predicate)];
        const Object* row = atoms.row(v - first_variable_[static_cast<std::size_t>(predicate)]);
        insert(predicate, row);
        if (merge_twins_) twins_.add(predicate, {row, atoms.arity()});
    }
    if (merge_twins_) twins_.finish();
}

void LiftedGraph::list_applicable(State state) {
    applicable_.clear();
    set_state(state);
    for (std::size_t schema = 0; schema < queries_.size(); ++schema) list_instances(schema);
    sort_unique(applicable_);
}

void LiftedGraph::list_instances(std::size_t schema) {
    Query& query = queries_[schema];
    if (merge_twins_) choose_representatives(query);
    Object* binding = program_->schemas[schema].binding.data();
    const std::size_t variables = program_->schemas[schema].variables;
    run(make_join_plan(query.body, -1, watch_), binding, watch_, [&] {
        if (merge_twins_ && !twins_.is_first({binding, variables})) return true;
        const ActionId action = number_of(schema, binding);
        if (action != kNoAction) applicable_.push_back(action);
        return true;
    });
}

// If at most k arguments of a schema can be objects of a set of interchangeable ones, only its first k objects are bound.
void LiftedGraph::choose_representatives(Query& query) {
    for (std::size_t i = 0; i < query.types.size(); ++i) {
        Type& type = query.types[i];
        type.objects.clear();
        for (const Object object : query.whole[i]->objects) {
            const bool may_be_bound = twins_.rank(object) < query.most[static_cast<std::size_t>(object)];
            type.member[static_cast<std::size_t>(object)] = may_be_bound ? 1 : 0;
            if (may_be_bound) type.objects.push_back(object);
        }
    }
}

ActionId LiftedGraph::number_of(std::size_t schema, const Object* binding) {
    Known& known = known_[known_number_[schema]];
    if (!known.arguments.insert(binding)) return known.action[known.arguments.find(binding)];
    known.action.push_back(add_action(schema, binding));
    return known.action.back();
}

ActionId LiftedGraph::add_action(std::size_t number, const Object* binding) {
    const auto& schema = lifted_.schemas[number];
    list_effects(schema, binding);
    if (effects_.empty()) return kNoAction;
    const auto action = static_cast<ActionId>(task_.action_count());
    const auto first_schema = static_cast<std::uint32_t>(lifted_.predicates.size());
    const auto first_object = first_schema + static_cast<std::uint32_t>(lifted_.schemas.size());
    auto& names = task_.action_atom;
    names.items.push_back(first_schema + static_cast<std::uint32_t>(number));
    for (std::int32_t i = 0; i < schema.shown_parameters; ++i)
        names.items.push_back(first_object + static_cast<std::uint32_t>(binding[i]));
    names.end_row();
    task_.precondition.end_row();
    for (const FactId effect : effects_) {
        task_.effect.push_back(effect);
        task_.effect_condition.end_row();
    }
    task_.first_effect.push_back(static_cast<std::uint32_t>(task_.effect.size()));
    task_.cost.push_back(costs_.of(schema, binding));
    return action;
}

void LiftedGraph::list_effects(const lifted::Schema& schema, const Object* binding) {
    effects_.clear();
    for (const auto& effect : schema.effects) add_effect(schema, effect.literal, binding);
    sort_unique(effects_);
}

// Omits effects that never change a state: an add effect that is a precondition, and a delete effect whose atom the
// action adds or requires to be false.
void LiftedGraph::add_effect(const lifted::Schema& schema, const lifted::Literal& effect, const Object* binding) {
    const auto is_required = [&](const lifted::Literal& literal) {
        return literal.negated == effect.negated && are_equal(literal, effect, binding);
    };
    const auto is_added = [&](const lifted::Effect& other) {
        return !other.literal.negated && are_equal(other.literal, effect, binding);
    };
    if (std::ranges::any_of(schema.precondition, is_required)) return;
    if (effect.negated && std::ranges::any_of(schema.effects, is_added)) return;
    read_row(effect, binding, row_);
    if (const auto variable = variable_of(effect.predicate, row_))
        effects_.push_back(2 * *variable + (effect.negated ? 1 : 0));
}

LiftedGraph::State LiftedGraph::successor(State state, ActionId action) {
    std::copy_n(state, layout_->stored_words, successor_.data());
    for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
        layout_->field[task_.effect[e] / 2].set(successor_.data(), task_.effect[e] % 2);
    return successor_.data();
}

}  // namespace fsplan
