// Tests the encoding of hand-made instantiated tasks, in particular of their effects.
#include "encode/encode.hpp"
#include "task/packing.hpp"
#include "tests/require.hpp"

using namespace fsplan;
using propositional::Literal;

namespace {

#define CHECK(condition) require(condition, #condition)

Literal yes(std::uint32_t atom) { return 2 * atom; }
Literal no(std::uint32_t atom) { return 2 * atom + 1; }

struct MadeEffect {
    Literal literal;
    std::vector<Literal> condition;
};

// Makes tasks whose atoms are nullary predicates a, b, c, …; the last ones are derived. Action n is the instance of schema n.
struct Maker {
    lifted::Task lifted;
    propositional::Task task;

    explicit Maker(std::uint32_t atoms, std::uint32_t derived = 0) {
        for (std::uint32_t i = 0; i < atoms; ++i) {
            bool is_derived = i >= atoms - derived;
            lifted.predicates.push_back({std::string(1, static_cast<char>('a' + i)), 0, !is_derived, is_derived});
            lifted.init.emplace_back();
            task.atom.items.push_back(i);
            task.atom.end_row();
            task.derived.push_back(is_derived);
        }
        task.first_effect = {0};
    }
    static lifted::Literal lift(Literal literal) {
        return {static_cast<std::int32_t>(literal >> 1), (literal & 1) != 0, {}};
    }
    static void append(Rows& rows, const std::vector<Literal>& row) {
        rows.items.insert(rows.items.end(), row.begin(), row.end());
        rows.end_row();
    }
    void action(const std::vector<Literal>& precondition, const std::vector<MadeEffect>& effects) {
        auto number = static_cast<std::uint32_t>(lifted.schemas.size());
        lifted::Schema schema{};
        schema.name = "act" + std::to_string(number);
        for (auto literal : precondition) schema.precondition.push_back(lift(literal));
        for (const auto& effect : effects) {
            lifted::Effect lifted_effect{};
            for (auto literal : effect.condition) lifted_effect.condition.push_back(lift(literal));
            lifted_effect.literal = lift(effect.literal);
            schema.effects.push_back(lifted_effect);
        }
        lifted.schemas.push_back(schema);
        append(task.action_atom, {number});
        append(task.precondition, precondition);
        for (const auto& effect : effects) {
            task.effect.push_back(effect.literal);
            append(task.effect_condition, effect.condition);
        }
        task.first_effect.push_back(static_cast<std::uint32_t>(task.effect.size()));
        task.cost.push_back(1);
    }
    void rule(std::uint32_t head, const std::vector<Literal>& body) {
        task.rule_head.push_back(head);
        append(task.rule_body, body);
    }
    GroundTask encode(bool mutex_groups = false) const {
        Budget watch;
        return fsplan::encode(lifted, task, watch, {mutex_groups, true});
    }
};

std::string effects_of(const GroundTask& task, std::size_t action) {
    std::string text;
    for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
        for (auto fact : task.effect_condition[e]) text += task.fact_name(fact) + " ";
        text += "-> " + task.fact_name(task.effect[e]) + "; ";
    }
    return text;
}

void unconditional_add_wins() {
    Maker maker(2);
    maker.task.initial = {0};
    maker.task.goal = {no(0), yes(1)};
    maker.action({yes(0)}, {{no(1), {}}, {yes(1), {}}, {no(0), {}}});
    auto task = maker.encode();
    CHECK(task.variable_count() == 2 && task.action_count() == 1);
    CHECK(effects_of(task, 0) == "-> not a(); -> b(); ");
    CHECK(task.goal.size() == 2);
}

void conditional_add_comes_after_the_delete() {
    Maker maker(2);
    maker.task.initial = {0, 1};
    maker.task.goal = {no(0)};
    maker.action({}, {{yes(0), {yes(1)}}, {no(0), {}}});
    maker.action({}, {{no(1), {}}});
    auto task = maker.encode();
    CHECK(effects_of(task, 0) == "-> not a(); b() -> a(); ");
}

void deletes_covered_by_an_add_are_dropped() {
    Maker maker(3);
    maker.task.initial = {1};
    maker.task.goal = {yes(0), no(1), yes(2)};
    maker.action({}, {{no(0), {yes(1), yes(2)}}, {yes(0), {yes(1)}}, {no(1), {}}});
    maker.action({}, {{yes(2), {}}});
    auto task = maker.encode();
    CHECK(effects_of(task, 0) == "b() -> a(); -> not b(); ");
}

void irrelevant_and_constant_parts_are_dropped() {
    Maker maker(4);
    maker.task.initial = {0, 2};  // c is never deleted, so it is constant
    maker.task.goal = {yes(1), yes(2)};
    maker.action({yes(0), yes(2)}, {{yes(1), {}}, {yes(3), {}}});
    maker.action({}, {{yes(3), {}}});  // changes only d, which is irrelevant
    maker.action({yes(0)}, {{no(0), {}}});
    auto task = maker.encode();
    CHECK(task.variable_count() == 2 && task.action_count() == 2 && task.goal.size() == 1);
    CHECK(task.action_name(0) == "act0" && task.action_name(1) == "act2");
    CHECK(effects_of(task, 0) == "-> b(); ");
    CHECK(pack(task).bytes_per_state() == 4);
}

void negative_facts_bound_reachability() {
    Maker maker(2);
    maker.task.initial = {0};  // a is never deleted, so b is unreachable
    maker.task.goal = {yes(1)};
    maker.action({no(0)}, {{yes(1), {}}});
    auto task = maker.encode();
    CHECK(!task.solvable_relaxed && task.action_count() == 0 && task.goal.size() == 1);
    CHECK(task.initial[0] == 0 && task.goal[0] == 1);
}

void rules_get_layers() {
    Maker maker(5, 3);
    maker.task.goal = {yes(4)};
    maker.action({}, {{yes(0), {}}});
    maker.action({}, {{yes(1), {}}});
    maker.rule(2, {yes(0)});
    maker.rule(3, {yes(1), no(2)});
    maker.rule(3, {yes(3)});
    maker.rule(4, {no(2), no(3)});
    auto task = maker.encode();
    CHECK(task.rule_head.size() == 3);  // the rule that derives d from d was removed
    CHECK((task.layer == std::vector<std::int32_t>{-1, -1, 0, 1, 2}));
    CHECK(pack(task).field[2].mask == 0);
}

void rules_that_always_hold_are_resolved() {
    Maker maker(4, 2);
    maker.task.initial = {0};
    maker.task.goal = {yes(1), yes(3)};
    maker.action({yes(2)}, {{yes(1), {}}});
    maker.rule(2, {yes(0)});
    maker.rule(3, {yes(2)});
    auto task = maker.encode();
    CHECK(task.variable_count() == 1 && task.rule_head.empty() && task.precondition[0].empty());
}

void atoms_that_exclude_each_other_share_a_variable() {
    Maker maker(3);
    maker.task.initial = {0};
    maker.task.goal = {yes(2)};
    maker.action({yes(0)}, {{no(0), {}}, {yes(1), {}}});
    maker.action({yes(1)}, {{no(1), {}}, {yes(2), {}}});
    maker.action({yes(0), yes(1)}, {{no(0), {}}, {yes(2), {}}});  // not applicable: a and b are in one mutex group
    auto task = maker.encode(true);
    CHECK((task.domain_size == std::vector<std::int32_t>{3}) && task.action_count() == 2);
    CHECK(effects_of(task, 1) == "-> c(); ");
}

void a_delete_without_an_add_leaves_none_of_those() {
    Maker maker(4);
    maker.task.initial = {0, 3};
    maker.task.goal = {yes(2), no(3)};
    maker.action({yes(0)}, {{no(0), {}}, {yes(1), {}}});
    maker.action({yes(1)}, {{no(1), {}}, {yes(2), {}}});
    maker.action({yes(3)}, {{no(1), {}}, {no(2), {yes(3)}}, {no(3), {}}});
    auto task = maker.encode(true);
    CHECK((task.domain_size == std::vector<std::int32_t>{4, 2}) && task.action_count() == 3);
    CHECK(effects_of(task, 2) == "b() -> none of those; c() -> none of those; -> not d(); ");
}

void a_negative_condition_keeps_its_atom_out_of_groups() {
    Maker maker(4);
    maker.task.initial = {0};
    maker.task.goal = {yes(2), yes(3)};
    maker.action({yes(0)}, {{no(0), {}}, {yes(1), {}}});
    maker.action({yes(1)}, {{no(1), {}}, {yes(2), {}}});
    maker.action({no(0)}, {{yes(3), {}}});
    auto task = maker.encode(true);
    CHECK((task.domain_size == std::vector<std::int32_t>{2, 3, 2}) && task.action_count() == 3);
}

void small_fields_fill_the_gaps() {
    GroundTask task;
    for (int i = 0; i < 40; ++i) {
        task.domain_size.push_back(i % 2 == 0 ? 2 : 100);
        task.layer.push_back(-1);
    }
    auto packing = pack(task);
    CHECK(packing.words == 5);  // 5 words hold 20 fields of 7 bits, four per word, and 4 single bits per word
    std::vector<Word> state(packing.words);
    for (std::size_t v = 0; v < 40; ++v) packing.field[v].set(state.data(), v % 2 == 0 ? 1 : 99);
    for (std::size_t v = 0; v < 40; ++v) CHECK(packing.field[v].get(state.data()) == (v % 2 == 0 ? 1 : 99));
}

}  // namespace

int main() {
    unconditional_add_wins();
    conditional_add_comes_after_the_delete();
    deletes_covered_by_an_add_are_dropped();
    irrelevant_and_constant_parts_are_dropped();
    negative_facts_bound_reachability();
    rules_get_layers();
    rules_that_always_hold_are_resolved();
    atoms_that_exclude_each_other_share_a_variable();
    a_delete_without_an_add_leaves_none_of_those();
    a_negative_condition_keeps_its_atom_out_of_groups();
    small_fields_fill_the_gaps();
}
