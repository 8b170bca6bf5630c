#include "task/reachability.hpp"

namespace fsplan {

namespace {

// Counts, for each conjunction, the facts that have not been reached.
class Bodies {
public:
    Bodies(const Rows& bodies, std::size_t facts) : rows_of_(transpose(bodies, facts)), missing_(bodies.size()) {
        for (std::size_t row = 0; row < bodies.size(); ++row)
            missing_[row] = static_cast<std::uint32_t>(bodies[row].size());
    }

    void add_one(std::size_t row) { ++missing_[row]; }
    bool count_down(std::size_t row) { return --missing_[row] == 0; }
    bool complete(std::size_t row) const { return missing_[row] == 0; }

    template <class Visit>
    void reach(FactId fact, Visit visit) {
        for (auto row : rows_of_[fact])
            if (count_down(row)) visit(row);
    }

private:
    Rows rows_of_;
    std::vector<std::uint32_t> missing_;
};

FactId initial_fact(const GroundTask& task, std::size_t variable) {
    return task.first_fact[variable] + static_cast<FactId>(task.initial[variable]);
}

// Facts that hold in every state: facts of constant variables, and facts that rules derive from these alone.
std::vector<std::uint8_t> always_true(const GroundTask& task) {
    std::vector<std::uint8_t> always(task.fact_count());
    for (std::size_t v = 0; v < task.variable_count(); ++v)
        if (task.layer[v] < 0) always[initial_fact(task, v)] = 1;
    auto variable_of = variables_of_facts(task);
    for (auto fact : task.effect) {
        auto initial = initial_fact(task, variable_of[fact]);
        if (fact != initial) always[initial] = 0;
    }
    Bodies rules(task.rule_body, task.fact_count());
    std::vector<FactId> queue;
    auto derive = [&](std::size_t rule) {
        auto head = task.rule_head[rule];
        if (!always[head]) queue.push_back(head);
        always[head] = 1;
    };
    for (FactId fact = 0; fact < task.fact_count(); ++fact)
        if (always[fact]) queue.push_back(fact);
    for (std::size_t rule = 0; rule < task.rule_head.size(); ++rule)
        if (rules.complete(rule)) derive(rule);
    while (!queue.empty()) {
        auto fact = queue.back();
        queue.pop_back();
        rules.reach(fact, derive);
    }
    return always;
}

class Exploration {
public:
    explicit Exploration(const GroundTask& task)
        : task_(task), actions_(task.precondition, task.fact_count()),
          effects_(task.effect_condition, task.fact_count()), rules_(task.rule_body, task.fact_count()) {
        reached_.fact.resize(task.fact_count());
        reached_.action.resize(task.action_count());
        reached_.effect.resize(task.effect.size());
        reached_.rule.resize(task.rule_head.size());
        for (std::uint32_t a = 0; a < task.action_count(); ++a)
            for (auto e = task.first_effect[a]; e < task.first_effect[a + 1]; ++e) effects_.add_one(e);
    }

    Reachable run() {
        start();
        while (!queue_.empty()) {
            auto fact = queue_.back();
            queue_.pop_back();
            actions_.reach(fact, [&](auto action) { apply(action); });
            effects_.reach(fact, [&](auto effect) { happen(effect); });
            rules_.reach(fact, [&](auto rule) { derive(rule); });
        }
        return std::move(reached_);
    }

private:
    void start() {
        std::vector<std::uint8_t> always(task_.fact_count());
        if (task_.has_derived()) always = always_true(task_);
        for (std::size_t v = 0; v < task_.variable_count(); ++v) {
            auto fact = initial_fact(task_, v);
            auto other = 2 * task_.first_fact[v] + 1 - fact;  // the other value, if v is derived and so binary
            if (task_.layer[v] < 0 || !always[other]) reach(fact);
        }
        for (std::uint32_t a = 0; a < task_.action_count(); ++a)
            if (actions_.complete(a)) apply(a);
        for (std::uint32_t r = 0; r < task_.rule_head.size(); ++r)
            if (rules_.complete(r)) derive(r);
    }

    void reach(FactId fact) {
        if (reached_.fact[fact]) return;
        reached_.fact[fact] = 1;
        queue_.push_back(fact);
    }
    void apply(std::uint32_t action) {
        reached_.action[action] = 1;
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
            if (effects_.count_down(e)) happen(e);
    }
    void happen(std::uint32_t effect) {
        reached_.effect[effect] = 1;
        reach(task_.effect[effect]);
    }
    void derive(std::uint32_t rule) {
        reached_.rule[rule] = 1;
        reach(task_.rule_head[rule]);
    }

    const GroundTask& task_;
    Bodies actions_;
    Bodies effects_;
    Bodies rules_;
    std::vector<FactId> queue_;
    Reachable reached_;
};

}  // namespace

Reachable relaxed_reachable(const GroundTask& task) { return Exploration(task).run(); }

}  // namespace fsplan
