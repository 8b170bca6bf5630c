#include "ground/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "ground/effects.hpp"
#include "ground/program.hpp"
#include "ground/fixpoint.hpp"
#include "ground/residual.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

// The static functions that costs are read from.
class CostTables {
public:
    explicit CostTables(const lifted::Task& task) : task_(task) {
        for (std::size_t f = 0; f < task.function_arity.size(); ++f) {
            auto arity = static_cast<std::size_t>(task.function_arity[f]);
            const auto& rows = task.function_values[f].rows;
            tables_.emplace_back(Relation(arity, task.objects.size()), std::vector<std::int32_t>{});
            for (std::size_t i = 0; i < rows.size(); i += arity + 1)
                if (tables_[f].first.insert(rows.data() + i)) tables_[f].second.push_back(rows[i + arity]);
        }
    }

    Cost of(const lifted::Schema& schema, const Object* arguments) const {
        if (!task_.use_costs) return 1;
        std::int64_t sum = 0;
        for (const auto& term : schema.cost) sum += term.function < 0 ? term.constant : value(term, arguments);
        if (sum < 0 || sum >= kDeadEnd) throw std::invalid_argument("the cost of " + schema.name + " is out of range");
        return static_cast<Cost>(sum);
    }

private:
    std::int32_t value(const lifted::CostTerm& term, const Object* arguments) const {
        std::vector<Object> row;
        for (auto argument : term.arguments) row.push_back(argument < 0 ? ~argument : arguments[argument]);
        const auto& [rows, values] = tables_[static_cast<std::size_t>(term.function)];
        auto found = rows.find(row.data());
        if (found != Relation::kNone) return values[found];
        std::string name = task_.functions[static_cast<std::size_t>(term.function)];
        for (auto object : row) name += ' ' + task_.objects[static_cast<std::size_t>(object)];
        throw std::invalid_argument("the cost (" + name + ") has no value");
    }

    const lifted::Task& task_;
    std::vector<std::pair<Relation, std::vector<std::int32_t>>> tables_;
};

class Instantiation {
public:
    Instantiation(lifted::Task& task, Watch& watch)
        : task_(task),
          program_(task, watch),
          costs_(task),
          residual_(
              program_, [this](auto predicate, auto row) { return atom_of_[static_cast<std::size_t>(predicate)][row]; },
              [this](const auto& alternatives) { return name(alternatives); }) {}

    propositional::Task run() {
        reach(program_);
        number_atoms();
        result_.first_effect.push_back(0);
        for (std::size_t first = 0, last; first < task_.schemas.size(); first = last) {
            last = first + 1;
            while (last < task_.schemas.size() && task_.schemas[last].name == task_.schemas[first].name) ++last;
            emit_actions(first, last);
        }
        for (auto& rule : program_.rules) emit_rules(rule);
        emit_goal();
        sort_rules();
        inline_goal();
        return std::move(result_);
    }

private:
    struct Instance {
        std::uint64_t key;
        std::uint32_t schema;
        Relation::Row row;
    };

    struct Rule {
        std::uint32_t head;
        Conjunction body;
        auto operator<=>(const Rule&) const = default;
    };

    void number_atoms() {
        atom_of_.resize(task_.predicates.size());
        for (std::int32_t p = 0; p < program_.predicates(); ++p) {
            if (!program_.live(p)) continue;
            number_atoms(p, program_.relation(p), task_.predicates[static_cast<std::size_t>(p)].derived);
            add_initial(p);
        }
        std::sort(result_.initial.begin(), result_.initial.end());
    }

    void number_atoms(std::int32_t predicate, const Relation& relation, bool derived) {
        std::vector<Relation::Row> order(relation.size());
        std::iota(order.begin(), order.end(), Relation::Row{0});
        auto arity = relation.arity();
        std::sort(order.begin(), order.end(), [&](auto a, auto b) {
            return std::lexicographical_compare(relation.row(a), relation.row(a) + arity, relation.row(b),
                                                relation.row(b) + arity);
        });
        auto& numbers = atom_of_[static_cast<std::size_t>(predicate)];
        numbers.resize(relation.size());
        for (auto row : order) {
            numbers[row] = static_cast<std::uint32_t>(result_.atom.size());
            result_.atom.items.push_back(static_cast<std::uint32_t>(predicate));
            result_.atom.items.insert(result_.atom.items.end(), relation.row(row), relation.row(row) + arity);
            result_.atom.end_row();
            result_.derived.push_back(derived);
        }
    }

    // What the initial state says of a derived predicate always holds.
    void add_initial(std::int32_t predicate) {
        const auto& numbers = atom_of_[static_cast<std::size_t>(predicate)];
        auto count = program_.initial_rows(predicate);
        if (task_.predicates[static_cast<std::size_t>(predicate)].derived)
            for (std::size_t row = 0; row < count; ++row) rules_.push_back({numbers[row], {}});
        else
            result_.initial.insert(result_.initial.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
    }

    std::uint32_t name(const Alternatives& alternatives) {
        auto atom = static_cast<std::uint32_t>(result_.atom.size());
        result_.atom.items.push_back(static_cast<std::uint32_t>(task_.predicates.size()));
        result_.atom.end_row();
        result_.derived.push_back(1);
        task_.predicates.push_back({"choice@" + std::to_string(choices_++), 0, false, true});
        task_.init.emplace_back();
        for (const auto& alternative : alternatives) rules_.push_back({atom, alternative});
        return atom;
    }

    // The schemas first .. last are one action; its instances are sorted by the shown arguments.
    void emit_actions(std::size_t first, std::size_t last) {
        auto shown = static_cast<std::size_t>(task_.schemas[first].shown_parameters);
        auto instances = sorted_instances(first, last, shown);
        auto limit = std::max(Residual::kMostAlternatives / (last - first), std::size_t{1});
        for (std::size_t i = 0, end; i < instances.size(); i = end) {
            const auto* arguments = row(instances[i]);
            candidates_.clear();
            for (end = i; end < instances.size() && std::equal(arguments, arguments + shown, row(instances[end])); ++end)
                add_candidates(instances[end], limit);
            minimise(candidates_);
            if (!candidates_.empty()) emit_action(instances[i], shown);
        }
        for (auto schema = first; schema < last; ++schema) program_.schemas[schema].instances.reset();
    }

    const Object* row(const Instance& instance) const {
        return program_.schemas[instance.schema].instances->row(instance.row);
    }

    std::vector<Instance> sorted_instances(std::size_t first, std::size_t last, std::size_t shown) const {
        std::size_t bits = 1;
        while (task_.objects.size() >> bits) ++bits;
        auto packed = std::min(shown, 64 / bits);  // arguments in the key
        std::vector<Instance> instances;
        for (auto schema = first; schema < last; ++schema)
            for (Relation::Row r = 0; r < program_.schemas[schema].instances->size(); ++r) {
                Instance instance{0, static_cast<std::uint32_t>(schema), r};
                for (std::size_t i = 0; i < packed; ++i)
                    instance.key = instance.key << bits | static_cast<std::uint64_t>(row(instance)[i]);
                instances.push_back(instance);
            }
        std::sort(instances.begin(), instances.end(), [&](const Instance& a, const Instance& b) {
            if (a.key != b.key) return a.key < b.key;
            if (packed == shown) return false;
            return std::lexicographical_compare(row(a) + packed, row(a) + shown, row(b) + packed, row(b) + shown);
        });
        return instances;
    }

    Object* bind(const Instance& instance) {
        auto& schema = program_.schemas[instance.schema];
        std::copy_n(row(instance), schema.variables, schema.binding.begin());
        return schema.binding.data();
    }

    void add_candidates(const Instance& instance, std::size_t limit) {
        program_.watch.tick();
        auto* binding = bind(instance);
        auto alternatives = residual_.of(program_.schemas[instance.schema].precondition, binding, limit);
        std::move(alternatives.begin(), alternatives.end(), std::back_inserter(candidates_));
    }

    void emit_action(const Instance& instance, std::size_t shown) {
        auto* binding = bind(instance);
        ground_effects(instance, binding);
        const auto& schema = task_.schemas[instance.schema];
        for (const auto& precondition : candidates_) {
            simplify_effects(precondition, ground_effects_, effects_);
            if (effects_.empty()) continue;
            auto& atom = result_.action_atom;
            atom.items.push_back(instance.schema);
            atom.items.insert(atom.items.end(), binding, binding + shown);
            atom.end_row();
            result_.precondition.items.insert(result_.precondition.items.end(), precondition.begin(), precondition.end());
            result_.precondition.end_row();
            for (const auto& effect : effects_) {
                result_.effect.push_back(effect.literal);
                auto& conditions = result_.effect_condition;
                conditions.items.insert(conditions.items.end(), effect.condition.begin(), effect.condition.end());
                conditions.end_row();
            }
            result_.first_effect.push_back(static_cast<std::uint32_t>(result_.effect.size()));
            result_.cost.push_back(costs_.of(schema, binding));
        }
    }

    // All effects of the action, whatever its precondition says of their conditions.
    void ground_effects(const Instance& instance, Object* binding) {
        ground_effects_.clear();
        auto& plans = effect_plans(instance.schema);
        auto& effects = program_.schemas[instance.schema].effects;
        for (std::size_t e = 0; e < effects.size(); ++e) {
            auto add = [&, e] {
                auto row = program_.find(effects[e].literal, binding);
                if (row == Relation::kNone) return true;
                auto atom = atom_of_[static_cast<std::size_t>(effects[e].literal.predicate)][row];
                auto literal = 2 * atom + effects[e].literal.negated;
                for (auto& condition : residual_.of(effects[e].condition, binding))
                    ground_effects_.push_back({literal, std::move(condition)});
                return true;
            };
            fsplan::run(plans[e], binding, program_.watch, add);
        }
    }

    // A delete matters where its atom is reachable only, so the atom is part of the query.
    std::vector<Plan>& effect_plans(std::uint32_t schema) {
        if (effect_plans_.size() <= schema) effect_plans_.resize(program_.schemas.size());
        auto& plans = effect_plans_[schema];
        if (plans.empty())
            for (auto& effect : program_.schemas[schema].effects) {
                auto body = effect.condition.body;
                if (effect.literal.negated)
                    body.atoms.push_back({&program_.relation(effect.literal.predicate), effect.literal.slots});
                plans.push_back(make_plan(body, -1));
            }
        return plans;
    }

    void emit_rules(CompiledRule& rule) {
        for (Relation::Row r = 0; r < rule.instances->size(); ++r) {
            program_.watch.tick();
            std::copy_n(rule.instances->row(r), rule.variables, rule.binding.begin());
            auto row = program_.find(rule.head, rule.binding.data());
            auto head = atom_of_[static_cast<std::size_t>(rule.head.predicate)][row];
            for (auto& body : residual_.of(rule.body, rule.binding.data()))
                if (!contains(body, 2 * head)) rules_.push_back({head, std::move(body)});
        }
        rule.instances.reset();
    }

    void emit_goal() {
        Alternatives alternatives;
        fsplan::run(make_plan(program_.goal.body.body, -1), program_.goal.binding.data(), program_.watch, [&] {
            alternatives = residual_.of(program_.goal.body, program_.goal.binding.data());
            return true;
        });
        result_.goal_reachable = !alternatives.empty();
        if (alternatives.size() == 1) result_.goal = std::move(alternatives[0]);
        if (alternatives.size() > 1) result_.goal = {2 * name(alternatives)};
    }

    // A derived atom with a single rule holds where the rule's body does, so a goal may ask for that.
    void inline_goal() {
        std::vector<std::uint32_t> done;
        for (bool progress = true; progress;) {
            progress = false;
            for (auto literal : Conjunction(result_.goal)) {
                auto [first, last] = std::equal_range(rules_.begin(), rules_.end(), Rule{literal >> 1, {}},
                                                      [](const Rule& a, const Rule& b) { return a.head < b.head; });
                if ((literal & 1) || last - first != 1 || contains(done, literal)) continue;
                done.insert(std::lower_bound(done.begin(), done.end(), literal), literal);
                std::erase(result_.goal, literal);
                result_.goal.insert(result_.goal.end(), first->body.begin(), first->body.end());
                progress = true;
            }
        }
        std::sort(result_.goal.begin(), result_.goal.end());
        result_.goal.erase(std::unique(result_.goal.begin(), result_.goal.end()), result_.goal.end());
        result_.goal_reachable = result_.goal_reachable && !contradictory(result_.goal);
    }

    void sort_rules() {
        std::sort(rules_.begin(), rules_.end());
        rules_.erase(std::unique(rules_.begin(), rules_.end()), rules_.end());
        for (const auto& rule : rules_) {
            result_.rule_head.push_back(rule.head);
            result_.rule_body.items.insert(result_.rule_body.items.end(), rule.body.begin(), rule.body.end());
            result_.rule_body.end_row();
        }
    }

    lifted::Task& task_;
    Program program_;
    CostTables costs_;
    Residual residual_;
    propositional::Task result_;
    std::vector<std::vector<std::uint32_t>> atom_of_;  // predicate, row -> atom
    std::vector<std::vector<Plan>> effect_plans_;
    std::vector<Rule> rules_;
    std::size_t choices_ = 0;
    // of the action at hand
    Alternatives candidates_;
    std::vector<GroundEffect> ground_effects_;
    std::vector<GroundEffect> effects_;
};

}  // namespace

propositional::Task instantiate(lifted::Task& task, Watch& watch) { return Instantiation(task, watch).run(); }

}  // namespace fsplan
