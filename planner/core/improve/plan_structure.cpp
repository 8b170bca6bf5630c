#include "improve/plan_structure.hpp"

#include "containers/store.hpp"

namespace fsplan {

namespace {

constexpr std::int64_t kAnything = -1;
constexpr std::size_t kLongPlan = 200;
constexpr std::size_t kLongestRegrouped = 2000;
constexpr std::size_t kMostApplications = 3'000'000;  // limit of thinned(); takes a few tenths of a second
constexpr std::uint64_t kWorkOfApplication = 50, kWorkOfPair = 10;

bool intersect(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right) {
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
        if (*l == *r) return true;
        *l < *r ? ++l : ++r;
    }
    return false;
}

// Adds the variables as one sorted row without repetitions.
void add_row(Rows& rows, std::vector<std::uint32_t>& variables) {
    sort_unique(variables);
    rows.items.insert(rows.items.end(), variables.begin(), variables.end());
    rows.end_row();
    variables.clear();
}

// Executes actions one after the other, beginning in the initial state.
class Walk {
public:
    explicit Walk(GroundGraph& graph) : graph_(graph) { return_to(graph.start()); }

    void return_to(const Word* state) { state_.assign(state, state + graph_.layout().stored_words); }
    // Applies the action; false if it is not applicable, and then the state does not change.
    bool take(ActionId action) {
        const Word* next = graph_.successor(state_.data(), action);
        if (next != nullptr) return_to(next);
        return next != nullptr;
    }
    bool at_goal() { return graph_.is_goal(state_.data()); }
    const std::vector<Word>& state() const { return state_; }

private:
    GroundGraph& graph_;
    std::vector<Word> state_;
};

}  // namespace

PlanStructure::PlanStructure(const GroundTask& task, GroundGraph& graph)
    : task_(task), graph_(graph), variable_(graph.layout().variable_of), has_derived_(task.has_derived()) {
    std::vector<std::uint32_t> variables;
    for (ActionId action = 0; action < task.action_count(); ++action) {
        for (const FactId fact : task.precondition[action]) variables.push_back(variable_[fact]);
        for (auto effect = task.first_effect[action]; effect < task.first_effect[action + 1]; ++effect)
            for (const FactId fact : task.effect_condition[effect]) variables.push_back(variable_[fact]);
        add_row(reads_, variables);
        for (auto effect = task.first_effect[action]; effect < task.first_effect[action + 1]; ++effect)
            variables.push_back(variable_[task.effect[effect]]);
        add_row(writes_, variables);
    }
}

// Whether the order of two steps must be kept: one writes a variable that the other reads or writes. Derived variables
// may depend on any variable, so in tasks with derived variables all steps keep their order.
bool PlanStructure::depends(ActionId earlier, ActionId later) const {
    return has_derived_ || intersect(writes_[earlier], reads_[later]) || intersect(writes_[earlier], writes_[later]) ||
           intersect(reads_[earlier], writes_[later]);
}

std::size_t PlanStructure::shared_variables(ActionId left, ActionId right) const {
    std::size_t shared = 0;
    for (const auto* rows : {&reads_, &writes_})
        for (const std::uint32_t variable : (*rows)[left]) {
            const auto other = (*rows)[right];
            shared += std::ranges::binary_search(other, variable) ? 1 : 0;
        }
    return shared;
}

ActionSequence PlanStructure::regrouped(const ActionSequence& plan, std::uint64_t seed) {
    const std::size_t size = plan.size();
    if (size > kLongestRegrouped) return plan;
    add_work(kWorkOfPair * size * size);
    std::vector<std::vector<std::uint32_t>> followers(size);
    std::vector<std::uint32_t> waits_for(size, 0);
    for (std::uint32_t later = 0; later < size; ++later)
        for (std::uint32_t earlier = 0; earlier < later; ++earlier)
            if (depends(plan[earlier], plan[later])) {
                followers[earlier].push_back(later);
                ++waits_for[later];
            }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t step = 0; step < size; ++step)
        if (waits_for[step] == 0) ready.push_back(step);
    ActionSequence result;
    while (!ready.empty()) {
        const auto rank = [&](std::uint32_t step) {
            const std::size_t shared = result.empty() ? 0 : shared_variables(result.back(), plan[step]);
            return std::pair(size + 1 - std::min(shared, size), mix(seed + step));
        };
        const auto best =
            std::ranges::min_element(ready, [&](auto left, auto right) { return rank(left) < rank(right); });
        const std::uint32_t step = *best;
        ready.erase(best);
        result.push_back(plan[step]);
        for (const std::uint32_t follower : followers[step])
            if (--waits_for[follower] == 0) ready.push_back(follower);
    }
    return result;
}

std::vector<std::vector<Word>> PlanStructure::states_along(const ActionSequence& plan) {
    add_work(kWorkOfApplication * plan.size());
    Walk walk(graph_);
    std::vector<std::vector<Word>> states{walk.state()};
    for (const ActionId action : plan) {
        if (!walk.take(action)) throw std::invalid_argument("this is not a plan: a step is not applicable");
        states.push_back(walk.state());
    }
    return states;
}

// The plan without the step and without the later steps that are then not applicable; empty if it does not reach the goal.
std::optional<ActionSequence> PlanStructure::without(const ActionSequence& plan, std::size_t dropped,
                                                     const Word* state_before) {
    add_work(kWorkOfApplication * (plan.size() - dropped));
    Walk walk(graph_);
    walk.return_to(state_before);
    ActionSequence kept(plan.begin(), plan.begin() + static_cast<std::ptrdiff_t>(dropped));
    for (std::size_t step = dropped + 1; step < plan.size(); ++step)
        if (walk.take(plan[step])) kept.push_back(plan[step]);
    if (!walk.at_goal()) return std::nullopt;
    return kept;
}

std::int64_t PlanStructure::cost(const ActionSequence& plan) const {
    std::int64_t sum = 0;
    for (const ActionId action : plan) sum += task_.cost[action];
    return sum;
}

// Removes every unnecessary step in one pass. This takes quadratic time, so for very long plans only the first steps
// are tried.
ActionSequence PlanStructure::thinned(ActionSequence plan) {
    Walk walk(graph_);
    std::size_t applications = 0;
    for (std::size_t step = 0; step < plan.size() && applications < kMostApplications;) {
        applications += plan.size() - step;
        auto kept = without(plan, step, walk.state().data());
        if (kept) plan = std::move(*kept);
        else walk.take(plan[step++]);
    }
    return plan;
}

// Removes the most expensive unnecessary steps first, if the plan is short enough for cubic time. Every round removes
// at least one step, so the loop terminates.
ActionSequence PlanStructure::without_unnecessary(const ActionSequence& plan) {
    if (plan.size() > kLongPlan) return thinned(plan);
    ActionSequence best = plan;
    for (;;) {
        const auto states = states_along(best);
        std::optional<ActionSequence> cheapest;
        for (std::size_t step = 0; step < best.size(); ++step) {
            auto kept = without(best, step, states[step].data());
            if (kept && (!cheapest || cost(*kept) < cost(*cheapest))) cheapest = std::move(kept);
        }
        if (!cheapest) return best;
        best = std::move(*cheapest);
    }
}

// Whether the regression of a set of facts through these steps is a set of facts again. Conditional effects and derived
// facts would make it a disjunction.
bool PlanStructure::regression_is_exact(std::span<const ActionId> steps) const {
    if (has_derived_) return false;
    return std::ranges::none_of(steps, [&](ActionId action) {
        const auto first = task_.effect_condition.begin[task_.first_effect[action]];
        return first != task_.effect_condition.begin[task_.first_effect[action + 1]];
    });
}

void PlanStructure::regress(ActionId action, std::vector<std::int64_t>& wanted) const {
    for (const std::uint32_t variable : writes_[action]) wanted[variable] = kAnything;
    for (const FactId fact : task_.precondition[action]) wanted[variable_[fact]] = fact;
}

std::vector<FactId> PlanStructure::needed_after(const ActionSequence& plan, std::size_t first,
                                                const Word* state) const {
    std::vector<std::int64_t> wanted(task_.variable_count(), kAnything);
    const std::span<const ActionId> rest(plan.begin() + static_cast<std::ptrdiff_t>(first), plan.end());
    if (regression_is_exact(rest)) {
        for (const FactId fact : task_.goal) wanted[variable_[fact]] = fact;
        for (auto action = rest.rbegin(); action != rest.rend(); ++action) regress(*action, wanted);
    } else {
        for (std::size_t v = 0; v < wanted.size(); ++v)
            if (task_.layer[v] < 0)
                wanted[v] = task_.first_fact[v] + static_cast<FactId>(graph_.layout().field[v].get(state));
    }
    std::vector<FactId> needed;
    for (const std::int64_t fact : wanted)
        if (fact != kAnything) needed.push_back(static_cast<FactId>(fact));
    return needed;
}

}  // namespace fsplan
