// The labelled graph of a task that was not grounded (see contract/graph.hpp).
//
// A state is a set of fluent atoms, packed like a ground task whose variables are atoms. Its applicable actions are
// the instances of the schemas whose preconditions hold, found by joins over the atoms of the state. An action is
// appended to the ground task when it is first generated.
//
// Of the actions that swaps of interchangeable objects (twins.hpp) map to each other only one is generated, because
// their successor states differ in such a swap only. For example, in a state with 28 million ways to combine equal
// slices of bread with equal slices of cheese, one action is generated for them.
#pragma once

#include "containers/store.hpp"
#include "instantiate/costs.hpp"
#include "instantiate/program.hpp"
#include "task/layout.hpp"
#include "ungrounded/fluent_atoms.hpp"
#include "ungrounded/twins.hpp"

namespace fsplan {

class LiftedGraph {
public:
    using State = const Word*;
    using Store = PackedStore<Word>;

    // If merge_twins is false, all applicable actions are generated. Throws the exceptions of find_fluent_atoms.
    LiftedGraph(lifted::Task task, Budget watch, bool merge_twins = true);
    LiftedGraph(const LiftedGraph&) = delete;
    LiftedGraph& operator=(const LiftedGraph&) = delete;

    // Sets the limits that apply when actions are generated.
    void set_limits(Budget watch) { watch_ = std::move(watch); }

    Store make_store() const { return Store(layout_->stored_words); }
    State start() const { return start_.data(); }
    bool is_goal(State state) const { return holds(goal_, state); }
    std::size_t action_count() const { return task_.action_count(); }
    std::size_t width() const { return task_.variable_count(); }
    void values(State state, std::span<std::int32_t> out) const {
        for (std::size_t v = 0; v < width(); ++v) out[v] = static_cast<std::int32_t>(layout_->field[v].get(state));
    }
    template <class Emit>
    void successors(State state, Emit&& emit) {
        list_applicable(state);
        for (const ActionId action : applicable_) emit(action, cost(action), successor(state, action));
    }
    template <class Emit>
    void labels(State state, Emit&& emit) {
        list_applicable(state);
        for (const ActionId action : applicable_) emit(action, cost(action));
    }
    Cost cost(ActionId action) const { return task_.cost[action]; }
    // The successor by an applicable action; valid until the next call.
    State successor(State state, ActionId action);

    // The ground task with the actions that have been generated so far.
    const GroundTask& task() const { return task_; }
    const Layout& layout() const { return *layout_; }
    bool is_goal_reachable() const { return goal_reachable_; }
    // Whether actions may differ in cost.
    bool costs_differ() const;

private:
    // The precondition of a schema, prepared for finding its instances in the current state.
    struct Query {
        Body body;
        std::vector<Type> types;          // per variable of the schema: objects that may be bound in the current state
        std::vector<const Type*> whole;   // per variable of the schema: all objects of its type
        std::vector<std::uint32_t> most;  // per object: number of variables of the schema whose type contains it
    };
    // The instances, generated so far, of all schemas with the same name.
    struct Known {
        Relation arguments;
        std::vector<ActionId> action;  // per row of `arguments`; kNoAction if no fluent atom changes
    };

    void make_symbols();
    void make_variables(const FluentAtoms& found);
    void make_goal(const FluentAtoms& found);
    void make_program(const FluentAtoms& found);
    void make_queries();
    std::optional<std::uint32_t> variable_of(std::int32_t predicate, const std::vector<Object>& row) const;
    void set_state(State state);
    void list_applicable(State state);
    void list_instances(std::size_t schema);
    void choose_representatives(Query& query);
    ActionId number_of(std::size_t schema, const Object* binding);
    ActionId add_action(std::size_t schema, const Object* binding);
    void list_effects(const lifted::Schema& schema, const Object* binding);
    void add_effect(const lifted::Schema& schema, const lifted::Literal& effect, const Object* binding);

    lifted::Task lifted_;
    Budget watch_;
    bool merge_twins_, goal_reachable_ = true;
    CostTables costs_;
    Twins twins_;
    // The preconditions of the schemas as queries. All predicates count as static; relations of fluent predicates hold
    // the atoms of the current state.
    std::optional<Program> program_;
    std::vector<std::vector<std::vector<Object>>> constant_;  // per predicate: the constant atoms of a fluent predicate
    std::vector<Relation> atoms_;                             // per predicate: the fluent atoms
    std::vector<std::uint32_t> first_variable_;  // per predicate: variable of its first fluent atom; the others follow
    std::vector<std::int32_t> predicate_of_;     // per variable
    std::vector<Query> queries_;                 // per schema
    std::vector<std::size_t> known_number_;      // per schema: index of its instances in known_
    std::vector<Known> known_;
    GroundTask task_;
    std::optional<Layout> layout_;
    std::vector<WordTest> goal_;
    std::vector<Word> start_, successor_;
    std::vector<ActionId> applicable_;
    std::vector<FactId> effects_;
    std::vector<Object> row_;
};

static_assert(Graph<LiftedGraph>);

}  // namespace fsplan
