#include "instantiate/costs.hpp"
#include "instantiate/effects.hpp"
#include "instantiate/instantiation.hpp"

namespace fsplan {

namespace {

class ActionEmitter {
public:
    explicit ActionEmitter(Instantiation& instantiation)
        : task_(instantiation.task), program_(instantiation.program), residual_(instantiation.residual),
          result_(instantiation.result), costs_(instantiation.task), plans_(instantiation.task.schemas.size()) {
        result_.first_effect.push_back(0);
    }

    // The schemas first to last - 1 are alternatives of one action, from its disjunctive precondition. Instances are
    // emitted in the order of the shown arguments. Instances that differ only in hidden arguments, which come from
    // existential quantifiers, are alternatives, too.
    void emit(std::size_t first, std::size_t last) {
        auto shown = static_cast<std::size_t>(task_.schemas[first].shown_parameters);
        auto limit = std::max(Residual::kMostAlternatives / (last - first), std::size_t{1});
        auto instances = sorted_instances(first, last, shown);
        for (std::size_t i = 0, end; i < instances.size(); i = end) {
            program_.watch.tick();
            const auto* arguments = row(instances[i]);
            end = i + 1;
            while (end < instances.size() && std::equal(arguments, arguments + shown, row(instances[end]))) ++end;
            emit_alternatives(std::span(instances).subspan(i, end - i), shown, limit);
        }
        for (auto schema = first; schema < last; ++schema) program_.schemas[schema].instances.reset();
    }

private:
    struct Instance {
        std::uint64_t key;  // the first shown arguments, as many as fit into 64 bits
        std::uint32_t schema;
        Relation::Row row;
    };

    const Object* row(const Instance& instance) const {
        return program_.schemas[instance.schema].instances->row(instance.row);
    }

    std::vector<Instance> sorted_instances(std::size_t first, std::size_t last, std::size_t shown) const {
        std::size_t bits = 1;
        while (task_.objects.size() >> bits) ++bits;
        auto packed = std::min(shown, 64 / bits);
        std::vector<Instance> instances;
        for (auto schema = first; schema < last; ++schema)
            for (Relation::Row r = 0; r < program_.schemas[schema].instances->size(); ++r) {
                Instance instance{0, static_cast<std::uint32_t>(schema), r};
                for (std::size_t i = 0; i < packed; ++i)
                    instance.key = instance.key << bits | static_cast<std::uint64_t>(row(instance)[i]);
                instances.push_back(instance);
            }
        std::ranges::sort(instances, [&](const Instance& a, const Instance& b) {
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

    void emit_alternatives(std::span<const Instance> instances, std::size_t shown, std::size_t limit) {
        const auto& condition = program_.schemas[instances[0].schema].precondition;
        if (instances.size() == 1 && condition.constraints.empty()) {
            auto* binding = bind(instances[0]);
            if (!residual_.literals(condition, binding, precondition_)) return;
            ground_effects(instances[0].schema, binding);
            emit_action(instances[0].schema, binding, shown, precondition_);
            return;
        }
        Alternatives preconditions;
        for (const auto& instance : instances) {
            auto more = residual_.of(program_.schemas[instance.schema].precondition, bind(instance), limit);
            std::move(more.begin(), more.end(), std::back_inserter(preconditions));
        }
        minimise(preconditions);
        auto* binding = bind(instances[0]);
        ground_effects(instances[0].schema, binding);
        for (const auto& precondition : preconditions) emit_action(instances[0].schema, binding, shown, precondition);
    }

    void emit_action(std::uint32_t schema, const Object* binding, std::size_t shown, const Conjunction& precondition) {
        auto effects = simplifier_.simplify(precondition, ground_effects_);
        if (effects.empty()) return;
        result_.action_atom.items.push_back(schema);
        append(result_.action_atom, std::span(binding, shown));
        append(result_.precondition, precondition);
        for (const auto& effect : effects) {
            result_.effect.push_back(effect.literal);
            append(result_.effect_condition, effect.condition);
        }
        result_.first_effect.push_back(static_cast<std::uint32_t>(result_.effect.size()));
        result_.cost.push_back(costs_.of(task_.schemas[schema], binding));
    }

    template <class Items>
    static void append(Rows& rows, const Items& items) {
        rows.items.insert(rows.items.end(), items.begin(), items.end());
        rows.end_row();
    }

    // Grounds all effects of the action; their conditions are not yet compared with its precondition.
    void ground_effects(std::uint32_t schema, Object* binding) {
        ground_effects_.clear();
        const auto& plans = effect_plans(schema);
        const auto& effects = program_.schemas[schema].effects;
        for (std::size_t e = 0; e < effects.size(); ++e)
            run(plans[e], binding, program_.watch, [&] {
                ground_effect(effects[e], binding);
                return true;
            });
    }

    void ground_effect(const CompiledEffect& effect, Object* binding) {
        auto literal = residual_.ground(effect.literal, binding);
        if (literal >= Residual::kFalse) return;  // a delete effect on an unreachable atom is useless
        if (effect.condition.live.empty() && effect.condition.constraints.empty()) {
            ground_effects_.push_back({literal, {}});
            return;
        }
        for (auto& condition : residual_.of(effect.condition, binding))
            ground_effects_.push_back({literal, std::move(condition)});
    }

    // Join plans of the effects. The query of a quantified delete effect contains its atom, because a delete effect on
    // an unreachable atom is useless.
    const std::vector<JoinPlan>& effect_plans(std::uint32_t schema) {
        auto& plans = plans_[schema];
        if (plans.empty())
            for (auto& effect : program_.schemas[schema].effects) {
                auto body = effect.condition.body;
                if (effect.literal.negated && !body.variables.empty())
                    body.atoms.push_back({&program_.relation(effect.literal.predicate), effect.literal.slots});
                plans.push_back(make_join_plan(body, -1, program_.watch));
            }
        return plans;
    }

    lifted::Task& task_;
    Program& program_;
    Residual& residual_;
    propositional::Task& result_;
    CostTables costs_;
    EffectSimplifier simplifier_;
    std::vector<std::vector<JoinPlan>> plans_;  // schema -> effect -> join plan
    // Data of the current action
    Conjunction precondition_;
    std::vector<GroundEffect> ground_effects_;
};

}  // namespace

void emit_actions(Instantiation& instantiation) {
    ActionEmitter emitter(instantiation);
    const auto& schemas = instantiation.task.schemas;
    for (std::size_t first = 0, last; first < schemas.size(); first = last) {
        last = first + 1;
        while (last < schemas.size() && schemas[last].name == schemas[first].name) ++last;
        emitter.emit(first, last);
    }
}

}  // namespace fsplan
