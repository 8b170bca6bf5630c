// Tests relations, joins, and the instantiation of a hand-made task.
#include "instantiate/instantiate.hpp"
#include "instantiate/join.hpp"
#include "instantiate/relation.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

std::size_t chain_length(const Relation& relation, std::size_t index, std::array<Object, 2> key) {
    std::size_t length = 0;
    for (auto row = relation.first(index, key.data()); row != Relation::kNone; row = relation.next(index, row))
        ++length;
    return length;
}

void test_relation() {
    Relation relation(3, 50);
    auto index = relation.index(0b101);
    for (Object a = 0; a < 50; ++a)
        for (Object b = 0; b < 20; ++b) {
            std::array<Object, 3> row{a, b, b % 5};
            require(relation.insert(row.data()), "new row");
            require(!relation.insert(row.data()), "known row");
        }
    require(relation.size() == 1000 && relation.active() == 0, "rows are known, not active");
    require(chain_length(relation, index, {7, 3}) == 0, "indexes hold active rows only");
    relation.activate_all();
    require(chain_length(relation, index, {7, 3}) == 4, "a chain of an index that grew");
    require(chain_length(relation, relation.index(0b101), {7, 3}) == 4, "the same index again");
    require(chain_length(relation, relation.index(0b010), {7, 0}) == 50, "a chain of an index built late");
    std::array<Object, 3> absent{7, 3, 4};
    require(relation.find(absent.data()) == Relation::kNone, "absent row");
    require(relation.distinct(0) == 50 && relation.distinct(2) == 5, "distinct values");
}

// A query for the triangles of a graph (three atoms of one relation) finds each match once if rows are added singly.
void test_each_match_is_found_once() {
    Type vertices{{0, 1, 2, 3}, {1, 1, 1, 1}, true};
    Relation edges(2, 4);
    Body body{{{0, &vertices}, {1, &vertices}, {2, &vertices}}, {}, {}};
    for (auto [a, b] : {std::pair<Slot, Slot>{0, 1}, {1, 2}, {2, 0}}) body.atoms.push_back({&edges, {a, b}});
    for (Object a = 0; a < 4; ++a)
        for (Object b = 0; b < 4; ++b) edges.insert(std::array{a, b}.data());
    std::array<Object, 3> binding{};
    Budget watch;
    std::size_t matches = 0;
    while (edges.active() < edges.size()) {
        auto row = edges.active();
        edges.activate();
        for (int atom = 0; atom < 3; ++atom) {
            auto plan = make_join_plan(body, atom, watch);
            if (!plan.trigger.match(edges.row(row), binding.data())) continue;
            run(plan, binding.data(), watch, [&] { return ++matches > 0; }, row);
        }
    }
    require(matches == 64, "closed walks of length three in the complete graph with loops");
}

// An object can move along the path a - b - c; d is unreachable.
lifted::Task path_task() {
    lifted::Task task;
    task.objects = {"a", "b", "c", "d"};
    task.objects_of_type = {{0, 1, 2, 3}};
    task.predicates = {{"at", 1, true, false}, {"edge", 2, false, false}};
    task.init = {{{0}}, {{0, 1, 1, 2, 1, 0}}};
    lifted::Schema go;
    go.name = "go";
    go.shown_parameters = 2;
    go.types = {0, 0};
    go.precondition = {{0, false, {0}}, {1, false, {0, 1}}};
    go.effects = {{2, {}, {}, {}, {0, false, {1}}}, {2, {}, {}, {}, {0, true, {0}}}};
    task.schemas = {go};
    task.goal = {{0, false, {~2}}};
    return task;
}

void test_instantiate() {
    auto task = path_task();
    Budget watch;
    auto ground = instantiate(task, watch);
    require(ground.atom.size() == 3, "reachable atoms");
    require(ground.action_atom.size() == 3, "reachable actions");
    require(ground.goal_reachable && ground.goal == std::vector<std::uint32_t>{4}, "goal");
    auto unreachable = path_task();
    unreachable.goal = {{0, false, {~3}}};
    require(!instantiate(unreachable, watch).goal_reachable, "unreachable goal");
}

}  // namespace

int main() {
    test_relation();
    test_each_match_is_found_once();
    test_instantiate();
}
