#include "ungrounded/fluent_atoms.hpp"

#include "instantiate/fixpoint.hpp"
#include "ungrounded/split_rules.hpp"

namespace fsplan {

namespace {

using FluentAtom = std::vector<Object>;
using FluentAtomSet = std::set<FluentAtom>;

void check_supported(const lifted::Task& task) {
    const auto refuse = [](const std::string& what) {
        throw UnsupportedLifted("a task with " + what + " must be grounded");
    };
    if (!task.rules.empty()) refuse("derived predicates");
    if (!task.goal_constraints.empty()) refuse("a disjunction or quantifier in its goal");
    for (const auto& schema : task.schemas) {
        if (!schema.constraints.empty()) refuse("a disjunction or quantifier in a precondition");
        for (const auto& effect : schema.effects)
            if (!effect.types.empty() || !effect.condition.empty() || !effect.constraints.empty())
                refuse("conditional or quantified effects");
    }
}

class Analysis {
public:
    Analysis(const lifted::Task& task, Budget& watch) : task_(task), watch_(watch) { check_supported(task); }

    FluentAtoms run() {
        reach();
        FluentAtoms found;
        found.goal_reachable =
            std::ranges::all_of(task_.goal, [&](const lifted::Literal& goal) { return is_reachable(goal); });
        const auto changing = trace_back();
        found.fluent.resize(reached_.size());
        found.constant.resize(reached_.size());
        for (std::size_t p = 0; p < reached_.size(); ++p) {
            const FluentAtomSet initial = rows_of(task_.init[p], task_.predicates[p].arity);
            for (const FluentAtom& atom : reached_[p]) {
                const bool is_initial = initial.contains(atom);
                const bool changes =
                    changing.relevant[p].contains(atom) && (!is_initial || changing.deleted[p].contains(atom));
                if (changes) found.fluent[p].push_back(atom);
                else if (is_initial) found.constant[p].push_back(atom);
            }
        }
        return found;
    }

private:
    // For each predicate of the task: the atoms that are relevant, and those that reachable actions delete.
    struct Changing {
        std::vector<FluentAtomSet> relevant, deleted;
    };

    static std::size_t predicate(const lifted::Literal& literal) { return static_cast<std::size_t>(literal.predicate); }
    static FluentAtom row(const lifted::Literal& ground) {
        FluentAtom row;
        for (const auto term : ground.arguments) row.push_back(~term);
        return row;
    }
    static FluentAtomSet rows_of(const lifted::Table& table, std::int32_t arity) {
        if (arity == 0) return table.rows.empty() ? FluentAtomSet{} : FluentAtomSet{{}};
        FluentAtomSet rows;
        for (auto at = table.rows.begin(); at != table.rows.end(); at += arity) rows.emplace(at, at + arity);
        return rows;
    }
    static lifted::Table table_of(const FluentAtomSet& rows) {
        lifted::Table table;
        for (const FluentAtom& row : rows) table.rows.insert(table.rows.end(), row.begin(), row.end());
        if (!rows.empty() && table.rows.empty()) table.rows.push_back(0);  // one entry: the nullary atom is true
        return table;
    }
    bool is_reachable(const lifted::Literal& goal) const {
        if (goal.predicate == lifted::kEquality) return (goal.arguments[0] == goal.arguments[1]) != goal.negated;
        return goal.negated || reached_[predicate(goal)].contains(row(goal));
    }
    bool is_fluent(const lifted::Literal& literal) const {
        return literal.predicate != lifted::kEquality && task_.predicates[predicate(literal)].fluent;
    }
    lifted::Task without_actions() const {
        lifted::Task task = task_;
        task.schemas.clear();
        task.goal.clear();
        return task;
    }
    std::vector<FluentAtomSet> evaluated(const lifted::Task& task) const {
        Program program(task, watch_, false);
        fsplan::reach(program);
        std::vector<FluentAtomSet> found(task.predicates.size());
        for (std::int32_t p = 0; p < program.predicates(); ++p) {
            const Relation& relation = program.relation(p);
            for (Relation::Row r = 0; r < relation.size(); ++r)
                found[static_cast<std::size_t>(p)].emplace(relation.row(r), relation.row(r) + relation.arity());
        }
        return found;
    }

    // Computes the reachable atoms by rules: every add effect is the head of a rule whose body is the precondition.
    void reach() {
        lifted::Task rules = without_actions();
        for (const auto& schema : task_.schemas)
            for (const auto& effect : schema.effects)
                if (!effect.literal.negated)
                    add_split_rule(rules, {effect.literal, schema.types, schema.precondition, {}});
        reached_ = evaluated(rules);
        reached_.resize(task_.predicates.size());
    }

    // Computes the relevant atoms backwards from the goal: relevant(l) holds if l is in the precondition of a reachable
    // action that has an effect e with relevant(e). In these rules the reachable atoms are static.
    Changing trace_back() const {
        lifted::Task rules = without_actions();
        const auto count = static_cast<std::int32_t>(rules.predicates.size());
        for (std::int32_t p = 0; p < count; ++p) {
            const auto number = static_cast<std::size_t>(p);
            if (rules.predicates[number].fluent) rules.init[number] = table_of(reached_[number]);
            rules.predicates[number].fluent = false;
        }
        for (const std::string name : {"relevant@", "initial@", "deleted@"}) {
            for (std::size_t p = 0; p < reached_.size(); ++p) {
                rules.predicates.push_back(
                    {name + task_.predicates[p].name, task_.predicates[p].arity, false, name != "initial@"});
                rules.init.push_back(name == "initial@" ? task_.init[p] : lifted::Table{});
            }
        }
        for (const lifted::Literal& goal : task_.goal) add_goal(rules, goal, count);
        for (const auto& schema : task_.schemas) add_rules(rules, schema, count);
        auto found = evaluated(rules);
        const auto part = [&](std::int32_t first) {
            return std::vector<FluentAtomSet>(found.begin() + first, found.begin() + first + count);
        };
        return {part(count), part(3 * count)};
    }
    void add_goal(lifted::Task& rules, const lifted::Literal& goal, std::int32_t count) const {
        if (goal.predicate == lifted::kEquality || !reached_[predicate(goal)].contains(row(goal))) return;
        rules.rules.push_back({renamed(goal, count), {}, {}, {}});
    }
    void add_rules(lifted::Task& rules, const lifted::Schema& schema, std::int32_t count) const {
        for (const auto& effect : schema.effects) {
            auto body = reachable_precondition(schema);
            if (!add_reasons(body, schema, effect.literal)) continue;
            if (effect.literal.negated) {
                auto deletion = body;
                deletion.push_back(renamed(effect.literal, 2 * count));
                add_split_rule(rules, {renamed(effect.literal, 3 * count), schema.types, std::move(deletion), {}});
            }
            body.push_back(renamed(effect.literal, count));
            for (const lifted::Literal& condition : schema.precondition) {
                if (!is_fluent(condition)) continue;
                auto with_condition = body;
                if (condition.negated) with_condition.push_back(renamed(condition, 0));
                add_split_rule(rules, {renamed(condition, count), schema.types, std::move(with_condition), {}});
            }
        }
    }
    // Adds `shift` to the predicate and drops the negation. Shifts of 1, 2, 3 · count give relevant@, initial@, deleted@.
    static lifted::Literal renamed(const lifted::Literal& literal, std::int32_t shift) {
        return {literal.predicate + shift, false, literal.arguments};
    }
    std::vector<lifted::Literal> reachable_precondition(const lifted::Schema& schema) const {
        std::vector<lifted::Literal> body;
        for (const lifted::Literal& literal : schema.precondition)
            if (!literal.negated || !is_fluent(literal)) body.push_back(literal);
        return body;
    }
    // Adds inequalities without which the effect changes nothing: an add effect must differ from the positive preconditions, and
    // a delete effect from the add effects and the negated preconditions. Returns false if it never changes a state.
    static bool add_reasons(std::vector<lifted::Literal>& body, const lifted::Schema& schema,
                            const lifted::Literal& effect) {
        const auto add = [&](const lifted::Literal& other) { return add_inequality(body, effect, other); };
        for (const lifted::Literal& condition : schema.precondition)
            if (condition.negated == effect.negated && !add(condition)) return false;
        if (!effect.negated) return true;
        return std::ranges::all_of(
            schema.effects, [&](const lifted::Effect& other) { return other.literal.negated || add(other.literal); });
    }
    // Adds no inequality for atoms that differ in several terms, because a rule body cannot contain a disjunction. So
    // some effects that change nothing are not excluded, and more atoms than necessary are relevant.
    static bool add_inequality(std::vector<lifted::Literal>& body, const lifted::Literal& one,
                               const lifted::Literal& other) {
        if (one.predicate != other.predicate) return true;
        std::vector<std::size_t> different;
        for (std::size_t i = 0; i < one.arguments.size(); ++i)
            if (one.arguments[i] != other.arguments[i]) different.push_back(i);
        if (different.size() == 1)
            body.push_back({lifted::kEquality, true, {one.arguments[different[0]], other.arguments[different[0]]}});
        return !different.empty();
    }

    const lifted::Task& task_;
    Budget& watch_;
    std::vector<FluentAtomSet> reached_;  // predicate -> its reachable atoms
};

}  // namespace

FluentAtoms find_fluent_atoms(const lifted::Task& task, Budget& watch) { return Analysis(task, watch).run(); }

}  // namespace fsplan
