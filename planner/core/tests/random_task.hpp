// Makes small random tasks with conditional effects, derived variables, and action costs of 0 and more.
#pragma once

#include "encode/build.hpp"

namespace fsplan {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(mix(seed + 1)) {}
    int below(int bound) { return static_cast<int>((state_ = mix(state_ + 1)) % static_cast<std::uint64_t>(bound)); }

private:
    std::uint64_t state_;
};

struct TaskShape {
    int variables = 9;
    int values = 2;  // number of values of each variable
    int actions = 30;
    int most_cost = 4;
    int derived = 0;  // number of derived variables, which have two values
};

inline ValueList some_facts(Random& random, const TaskShape& shape, int least, int most) {
    ValueList facts;
    const int wanted = least + random.below(most - least + 1);
    while (static_cast<int>(facts.size()) < wanted) {
        const std::int32_t variable = random.below(shape.variables);
        const bool is_new = std::ranges::none_of(facts, [&](const auto& fact) { return fact.first == variable; });
        if (is_new) facts.emplace_back(variable, random.below(shape.values));
    }
    std::ranges::sort(facts);
    return facts;
}

// Adds a derived variable: two rules derive it, an action needs it, and sometimes the goal does.
inline void add_derived(Random& random, const TaskShape& shape, TaskLists& lists) {
    const auto variable = static_cast<std::int32_t>(lists.domain_size.size());
    lists.domain_size.push_back(2);
    lists.layer.push_back(0);
    lists.initial.push_back(0);
    for (int value = 0; value < 2; ++value)
        lists.fact_names.push_back("Atom d" + std::to_string(variable) + "(" + std::to_string(value) + ")");
    for (int rule = 0; rule < 2; ++rule)
        lists.rules.emplace_back(std::pair<std::int32_t, std::int32_t>{variable, 1}, some_facts(random, shape, 1, 2));
    lists.preconditions[static_cast<std::size_t>(random.below(shape.actions))].emplace_back(variable, 1);
    if (random.below(2) == 0) lists.goal.emplace_back(variable, 1);
}

inline GroundTask random_task(std::uint64_t seed, const TaskShape& shape) {
    Random random(seed);
    TaskLists lists;
    lists.unit_cost = false;
    for (std::int32_t variable = 0; variable < shape.variables; ++variable) {
        lists.domain_size.push_back(shape.values);
        lists.layer.push_back(-1);
        lists.initial.push_back(random.below(shape.values));
        for (int value = 0; value < shape.values; ++value)
            lists.fact_names.push_back("Atom a" + std::to_string(variable) + "(" + std::to_string(value) + ")");
    }
    for (int action = 0; action < shape.actions; ++action) {
        lists.action_names.push_back("act" + std::to_string(action));
        lists.preconditions.push_back(some_facts(random, shape, 1, 4));
        auto& effects = lists.effects.emplace_back();
        for (const auto& fact : some_facts(random, shape, 1, 3))
            effects.emplace_back(fact, random.below(4) == 0 ? some_facts(random, shape, 1, 1) : ValueList{});
        lists.costs.push_back(random.below(shape.most_cost + 1));
    }
    lists.goal = some_facts(random, shape, 4, 8);
    for (int number = 0; number < shape.derived; ++number) add_derived(random, shape, lists);
    return build_task(lists);
}

}  // namespace fsplan
