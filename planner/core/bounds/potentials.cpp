#include "bounds/potentials.hpp"

#include "bounds/state_equation.hpp"

namespace fsplan {

namespace {

constexpr std::int64_t kLargestSum = std::int64_t{1} << 61;

PotentialSolver& solver() {
    static PotentialSolver chosen;
    return chosen;
}

std::int64_t largest_sum(const GroundTask& task, const Potential& potential) {
    std::int64_t sum = 0;
    for (std::size_t v = 0; v < task.variable_count() && sum < kLargestSum; ++v) {
        const auto begin = potential.weight.begin();
        const auto largest = *std::max_element(begin + task.first_fact[v], begin + task.first_fact[v + 1]);
        sum = largest < kLargestSum ? sum + largest : kLargestSum;
    }
    return sum;
}

}  // namespace

void set_potential_solver(PotentialSolver chosen) { solver() = std::move(chosen); }

LinearRows changes_of_facts(const GroundTask& task, Budget& watch) {
    const ActionChanges changes = greatest_changes(task, watch);
    std::vector<std::vector<std::pair<ActionId, std::int32_t>>> terms(task.fact_count());
    for (ActionId action = 0; action < task.action_count(); ++action) {
        for (auto [fact, amount] : changes[action]) terms[fact].emplace_back(action, amount);
    }
    LinearRows rows;
    for (const auto& row : terms) {
        for (auto [action, amount] : row) rows.add_term(action, amount);
        rows.end_row(0);
    }
    return rows;
}

bool is_consistent(const GroundTask& task, const LinearRows& changes, const Potential& potential) {
    const auto& weight = potential.weight;
    if (weight.size() != task.fact_count() || potential.denominator <= 0) return false;
    if (std::ranges::any_of(weight, [](auto each) { return each < 0; })) return false;
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        const auto begin = weight.begin();
        auto weighs = [](auto each) { return each != 0; };
        if (task.layer[v] >= 0 && std::any_of(begin + task.first_fact[v], begin + task.first_fact[v + 1], weighs))
            return false;
    }
    if (largest_sum(task, potential) >= kLargestSum) return false;
    std::vector<__int128> gain(task.action_count());
    for (FactId fact = 0; fact < task.fact_count(); ++fact) {
        for (auto t = changes.begin[fact]; t < changes.begin[fact + 1]; ++t)
            gain[changes.action[t]] += static_cast<__int128>(changes.coefficient[t]) * weight[fact];
    }
    for (ActionId action = 0; action < task.action_count(); ++action) {
        if (gain[action] > static_cast<__int128>(potential.denominator) * task.cost[action]) return false;
    }
    return true;
}

std::vector<Potential> find_potentials(const GroundTask& task, Budget& watch) {
    if (!solver()) throw std::runtime_error("there is no solver for linear programs in this program");
    const auto states = sample_states(task, watch);
    const auto changes = changes_of_facts(task, watch);
    auto found = solver()({task, changes, states, watch.seconds_left()});
    watch.look();
    for (const auto& potential : found) {
        if (!is_consistent(task, changes, potential)) throw std::logic_error("a potential violates its inequalities");
    }
    return found;
}

}  // namespace fsplan
