#include "instantiate/instantiation.hpp"

namespace fsplan {

namespace {

void emit_rules(Instantiation& instantiation, CompiledRule& rule) {
    auto& program = instantiation.program;
    auto* binding = rule.binding.data();
    for (Relation::Row r = 0; r < rule.instances->size(); ++r) {
        program.watch.tick();
        std::copy_n(rule.instances->row(r), rule.variables, binding);
        auto head = instantiation.residual.ground(rule.head, binding);
        for (auto& body : instantiation.residual.of(rule.body, binding))
            if (!contains(body, head)) instantiation.rules.push_back({head >> 1, std::move(body)});
    }
    rule.instances.reset();
}

void emit_goal(Instantiation& instantiation) {
    auto& [condition, binding] = instantiation.program.goal;
    Alternatives alternatives;
    run(make_join_plan(condition.body, -1, instantiation.program.watch), binding.data(), instantiation.program.watch,
        [&] {
            alternatives = instantiation.residual.of(condition, binding.data());
            return true;
        });
    auto& result = instantiation.result;
    result.goal_reachable = !alternatives.empty();
    if (alternatives.size() == 1) result.goal = std::move(alternatives[0]);
    if (alternatives.size() > 1) result.goal = {2 * instantiation.name(alternatives)};
}

// The rule of a derived atom that has exactly one rule, else null.
const GroundRule* only_rule(const std::vector<GroundRule>& sorted, std::uint32_t head) {
    auto first = std::partition_point(sorted.begin(), sorted.end(), [&](const auto& rule) { return rule.head < head; });
    if (first == sorted.end() || first->head != head) return nullptr;
    bool only = first + 1 == sorted.end() || (first + 1)->head != head;
    return only ? &*first : nullptr;
}

// Replaces derived atoms with a single rule in the goal by the body of the rule, which is equivalent.
void inline_goal(Instantiation& instantiation) {
    Conjunction goal, waiting = instantiation.result.goal;
    std::vector<bool> inlined(instantiation.result.atom.size());
    while (!waiting.empty()) {
        auto literal = waiting.back();
        waiting.pop_back();
        const auto* rule = (literal & 1) ? nullptr : only_rule(instantiation.rules, literal >> 1);
        if (!rule || inlined[rule->head]) {
            goal.push_back(literal);
            continue;
        }
        inlined[rule->head] = true;
        waiting.insert(waiting.end(), rule->body.begin(), rule->body.end());
    }
    sort_unique(goal);
    auto& result = instantiation.result;
    result.goal_reachable = result.goal_reachable && !contradictory(goal);
    result.goal = std::move(goal);
}

}  // namespace

void emit_goal_and_rules(Instantiation& instantiation) {
    for (auto& rule : instantiation.program.rules) emit_rules(instantiation, rule);
    emit_goal(instantiation);
    auto& rules = instantiation.rules;
    sort_unique(rules);
    inline_goal(instantiation);
    auto& result = instantiation.result;
    for (const auto& rule : rules) {
        result.rule_head.push_back(rule.head);
        result.rule_body.items.insert(result.rule_body.items.end(), rule.body.begin(), rule.body.end());
        result.rule_body.end_row();
    }
}

}  // namespace fsplan
