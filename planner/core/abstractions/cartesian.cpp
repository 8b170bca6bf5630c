#include "abstractions/cartesian.hpp"

namespace fsplan {

namespace {

// Preconditions and effects of an action, by variable.
class ActionFacts {
public:
    explicit ActionFacts(const GroundTask& task) : variable_(variables_of_facts(task)), actions_(task.action_count()) {
        for (ActionId a = 0; a < task.action_count(); ++a) {
            for (auto fact : task.precondition[a]) {
                if (task.layer[variable_[fact]] < 0) at(a, fact).needed = fact;
            }
            for (auto e = task.first_effect[a]; e < task.first_effect[a + 1]; ++e)
                at(a, task.effect[e]).set = task.effect[e];
        }
    }

    struct OnVariable {
        std::uint32_t variable;
        FactId needed = kNoFact, set = kNoFact;  // precondition; last effect, which overrides earlier ones
    };
    std::span<const OnVariable> operator[](ActionId action) const { return actions_[action]; }
    OnVariable on(ActionId action, std::uint32_t variable) const {
        for (const auto& each : actions_[action]) {
            if (each.variable == variable) return each;
        }
        return {variable};
    }
    std::uint32_t variable(FactId fact) const { return variable_[fact]; }

private:
    OnVariable& at(ActionId action, FactId fact) {
        auto& row = actions_[action];
        auto is_same = [&](const OnVariable& each) { return each.variable == variable_[fact]; };
        const auto found = std::ranges::find_if(row, is_same);
        return found != row.end() ? *found : row.emplace_back(OnVariable{variable_[fact]});
    }

    std::vector<std::uint32_t> variable_;
    std::vector<std::vector<OnVariable>> actions_;
};

// Builds one abstraction by refinement.
class Refinement {
public:
    Refinement(const GroundTask& task, const ActionFacts& facts, std::span<const std::int32_t> start,
               std::vector<FactId> goal, std::size_t& work, Budget& watch)
        : task_(task), facts_(facts), start_(start), goal_(std::move(goal)), work_(work), watch_(watch) {
        auto& whole = states_.emplace_back();
        whole.has.assign(task.fact_count(), 1);
        for (ActionId a = 0; a < task.action_count(); ++a) whole.loops.push_back(a);
    }

    void run(std::size_t most_states) {
        while (states_.size() < most_states && work_ > 0 && find_path() && split_where_it_fails()) {}
    }

    Abstraction finish() {
        AbstractionParts parts;
        parts.splits = std::move(splits_);
        for (std::uint32_t s = 0; s < states_.size(); ++s) {
            if (is_goal(s)) parts.goals.push_back(s);
            for (auto [action, to] : states_[s].out) parts.transitions.push_back({s, to, action});
            for (auto action : states_[s].loops) parts.loops.push_back(action);
        }
        parts.size = states_.size();
        return Abstraction(std::move(parts));
    }

private:
    struct Transition {
        ActionId action;
        std::uint32_t state;
    };
    struct State {
        std::vector<std::uint8_t> has;  // fact -> whether the abstract state contains it
        std::vector<Transition> in, out;
        std::vector<ActionId> loops;
        std::int64_t h = 0;  // lower bound on the goal distance
    };
    struct Split {
        std::uint32_t variable;
        std::vector<std::uint8_t> wanted;  // value -> whether the flaw requires it
    };

    bool is_goal(std::uint32_t state) const {
        return std::ranges::all_of(goal_, [&](auto fact) { return states_[state].has[fact] != 0; });
    }
    void count(std::size_t transitions) {
        watch_.tick();
        work_ -= std::min(work_, transitions);
    }

    // Finds a cheapest path by A*, and stores its actions and the abstract states they lead to in path_. Raises h with
    // the goal distances that the search proves, for later searches.
    bool find_path() {
        std::vector<std::int64_t> g(states_.size(), -1);
        std::vector<Transition> came_by(states_.size());
        std::vector<std::pair<std::int64_t, std::uint32_t>> open;
        auto reach = [&](std::uint32_t state, std::int64_t cost) {
            g[state] = cost;
            open.emplace_back(cost + states_[state].h, state);
            std::push_heap(open.begin(), open.end(), std::greater<>());
        };
        const auto first = static_cast<std::uint32_t>(splits_.find(start_));
        reach(first, 0);
        while (!open.empty()) {
            std::pop_heap(open.begin(), open.end(), std::greater<>());
            const auto [f, state] = open.back();
            open.pop_back();
            if (f > g[state] + states_[state].h) continue;
            if (is_goal(state)) {
                read_path(first, state, came_by);
                for (std::uint32_t s = 0; s < states_.size(); ++s) {
                    if (g[s] >= 0) states_[s].h = std::max(states_[s].h, g[state] - g[s]);
                }
                return true;
            }
            count(states_[state].out.size() + 1);
            for (auto [action, to] : states_[state].out) {
                const auto cost = g[state] + task_.cost[action];
                if (g[to] >= 0 && g[to] <= cost) continue;
                came_by[to] = {action, state};
                reach(to, cost);
            }
        }
        return false;
    }
    void read_path(std::uint32_t first, std::uint32_t last, const std::vector<Transition>& came_by) {
        path_.clear();
        for (auto at = last; at != first; at = came_by[at].state) path_.push_back({came_by[at].action, at});
        std::ranges::reverse(path_);
    }

    // Splits the abstract state where the path fails; false if the path is a plan or the work limit is reached.
    bool split_where_it_fails() {
        std::vector<std::int32_t> values(start_.begin(), start_.end());
        auto at = static_cast<std::uint32_t>(splits_.find(start_));
        for (auto [action, to] : path_) {
            splits_wanted_.clear();
            for (const auto& each : facts_[action]) want_fact(each.needed, values);
            if (splits_wanted_.empty()) want_values_of(to, action, values);
            if (!splits_wanted_.empty()) return split(at);
            for (const auto& each : facts_[action]) {
                if (each.set != kNoFact) values[each.variable] = value(each.set);
            }
            at = to;
        }
        splits_wanted_.clear();
        for (auto fact : goal_) want_fact(fact, values);
        return !splits_wanted_.empty() && split(at);
    }
    std::int32_t value(FactId fact) const {
        return static_cast<std::int32_t>(fact - task_.first_fact[facts_.variable(fact)]);
    }
    std::size_t domain(std::uint32_t variable) const { return static_cast<std::size_t>(task_.domain_size[variable]); }

    void want_fact(FactId fact, const std::vector<std::int32_t>& values) {
        if (fact == kNoFact || values[facts_.variable(fact)] == value(fact)) return;
        Split split{facts_.variable(fact), std::vector<std::uint8_t>(domain(facts_.variable(fact)))};
        split.wanted[static_cast<std::size_t>(value(fact))] = 1;
        splits_wanted_.push_back(std::move(split));
    }
    // Adds possible splits on the variables that the action does not set and whose value is not in the next abstract state.
    void want_values_of(std::uint32_t next, ActionId action, const std::vector<std::int32_t>& values) {
        for (std::uint32_t v = 0; v < task_.variable_count(); ++v) {
            const auto begin = states_[next].has.begin() + task_.first_fact[v];
            if (task_.layer[v] >= 0 || begin[values[v]] || facts_.on(action, v).set != kNoFact) continue;
            splits_wanted_.push_back({v, {begin, begin + static_cast<std::ptrdiff_t>(domain(v))}});
        }
    }

    // Chooses the possible split whose variable has been refined most in this abstract state.
    bool split(std::uint32_t state) {
        auto refined = [&](const Split& each) {
            const auto begin = states_[state].has.begin() + task_.first_fact[each.variable];
            const auto size = static_cast<std::ptrdiff_t>(domain(each.variable));
            return static_cast<double>(std::count(begin, begin + size, 1)) / static_cast<double>(size);
        };
        auto less = [&](const Split& a, const Split& b) { return refined(a) < refined(b); };
        const Split chosen = *std::ranges::min_element(splits_wanted_, less);
        const auto other = static_cast<std::uint32_t>(states_.size());
        splits_.split(state, chosen.variable, chosen.wanted, other);
        State before = std::move(states_[state]);
        states_[state] = {before.has, {}, {}, {}, before.h};
        states_.push_back({before.has, {}, {}, {}, before.h});
        for (std::size_t i = 0; i < chosen.wanted.size(); ++i) {
            const auto fact = task_.first_fact[chosen.variable] + i;
            (chosen.wanted[i] ? states_[state] : states_[other]).has[fact] = 0;
        }
        rewire(before, state, other, chosen.variable);
        return work_ > 0;
    }
    void rewire(const State& before, std::uint32_t one, std::uint32_t other, std::uint32_t variable) {
        forget(before.in, one, &State::out);
        forget(before.out, one, &State::in);
        for (auto end : {one, other}) {
            for (auto [action, from] : before.in) link(from, action, end, variable);
            for (auto [action, to] : before.out) link(end, action, to, variable);
            for (auto action : before.loops) {
                link(end, action, one, variable);
                link(end, action, other, variable);
            }
        }
        count(2 * (before.in.size() + before.out.size()) + 4 * before.loops.size());
    }
    void forget(const std::vector<Transition>& transitions, std::uint32_t state,
                std::vector<Transition> State::* list) {
        std::vector<std::uint32_t> neighbours;
        for (auto [action, neighbour] : transitions) neighbours.push_back(neighbour);
        sort_unique(neighbours);
        for (auto neighbour : neighbours) {
            count((states_[neighbour].*list).size());
            std::erase_if(states_[neighbour].*list, [&](const Transition& each) { return each.state == state; });
        }
    }
    void link(std::uint32_t from, ActionId action, std::uint32_t to, std::uint32_t variable) {
        if (!can_lead(from, action, to, variable)) return;
        if (from == to) {
            states_[from].loops.push_back(action);
        } else {
            states_[from].out.push_back({action, to});
            states_[to].in.push_back({action, from});
        }
    }
    // Whether the action may lead from one abstract state to the other, tested only on this variable.
    bool can_lead(std::uint32_t from, ActionId action, std::uint32_t to, std::uint32_t variable) const {
        const auto& before = states_[from].has;
        const auto& after = states_[to].has;
        const auto facts = facts_.on(action, variable);
        if (facts.needed != kNoFact && !before[facts.needed]) return false;
        if (facts.set != kNoFact) return after[facts.set] != 0;
        if (facts.needed != kNoFact) return after[facts.needed] != 0;
        for (auto fact = task_.first_fact[variable]; fact < task_.first_fact[variable + 1]; ++fact) {
            if (before[fact] && after[fact]) return true;
        }
        return false;
    }

    const GroundTask& task_;
    const ActionFacts& facts_;
    std::span<const std::int32_t> start_;
    std::vector<FactId> goal_;
    std::size_t& work_;  // remaining work
    Budget& watch_;
    std::vector<State> states_;
    SplitTree splits_;
    std::vector<Transition> path_;
    std::vector<Split> splits_wanted_;
};

}  // namespace

std::vector<Abstraction> cartesian_abstractions(const GroundTask& task, std::span<const std::int32_t> start,
                                                const RefinementLimits& limits, Budget& watch) {
    std::vector<Abstraction> found;
    if (task.has_conditional_effects()) return found;
    const ActionFacts facts(task);
    std::vector<std::vector<FactId>> goals(1);
    for (auto fact : task.goal) {
        const auto variable = facts.variable(fact);
        if (task.layer[variable] >= 0) continue;
        goals[0].push_back(fact);
        if (task.first_fact[variable] + static_cast<FactId>(start[variable]) != fact) goals.push_back({fact});
    }
    if (goals.size() == 2) goals.pop_back();
    if (goals.size() > limits.abstractions) goals.resize(limits.abstractions);
    for (std::size_t number = 0; number < goals.size(); ++number) {
        std::size_t work = limits.work / goals.size();
        Refinement refinement(task, facts, start, goals[number], work, watch);
        refinement.run(limits.states);
        found.push_back(refinement.finish());
    }
    return found;
}

}  // namespace fsplan
