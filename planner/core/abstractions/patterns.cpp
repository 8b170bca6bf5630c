#include "abstractions/patterns.hpp"

namespace fsplan {

namespace {

// variable -> variables in preconditions or effects of the actions that set it, ascending, without derived variables.
std::vector<std::vector<std::uint32_t>> influences(const GroundTask& task, Budget& watch) {
    const auto variable = variables_of_facts(task);
    std::vector<std::vector<std::uint32_t>> found(task.variable_count());
    std::vector<std::uint32_t> touched;
    for (ActionId action = 0; action < task.action_count(); ++action) {
        watch.tick();
        touched.clear();
        for (auto fact : task.precondition[action]) touched.push_back(variable[fact]);
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
            touched.push_back(variable[task.effect[e]]);
            for (auto fact : task.effect_condition[e]) touched.push_back(variable[fact]);
        }
        std::erase_if(touched, [&](auto v) { return task.layer[v] >= 0; });
        sort_unique(touched);
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
            auto& row = found[variable[task.effect[e]]];
            if (row.size() + touched.size() > 4 * task.variable_count() + 64) { sort_unique(row); }
            row.insert(row.end(), touched.begin(), touched.end());
        }
    }
    for (auto& row : found) { sort_unique(row); }
    return found;
}

}  // namespace

std::vector<Abstraction> systematic_projections(const GroundTask& task, const ProjectionLimits& limits, Budget& watch) {
    const auto variable = variables_of_facts(task);
    const auto influence = influences(task, watch);
    ProjectionBuilder builder(task, watch);
    std::vector<Abstraction> projections;
    std::size_t work = 0;
    std::set<VariablePattern> patterns;
    for (auto fact : task.goal) {
        if (task.layer[variable[fact]] < 0) patterns.insert({variable[fact]});
    }
    for (std::size_t length = 1; length <= limits.variables && !patterns.empty(); ++length) {
        std::set<VariablePattern> longer;
        for (const auto& pattern : patterns) {
            if (projections.size() >= limits.projections || work >= limits.work) return projections;
            auto projection = builder.build(pattern, limits.states, limits.work - work);
            if (!projection) {
                work += task.action_count() / 8;  // failed attempts count as work, too
                continue;
            }
            work += projection->work();
            projections.push_back(std::move(*projection));
            if (length == limits.variables || longer.size() > 4 * limits.projections) continue;
            for (auto member : pattern) {
                for (auto other : influence[member]) {
                    if (std::ranges::find(pattern, other) != pattern.end()) continue;
                    auto extended = pattern;
                    extended.insert(std::ranges::upper_bound(extended, other), other);
                    longer.insert(std::move(extended));
                }
            }
        }
        patterns = std::move(longer);
    }
    return projections;
}

namespace {

// Grows a pattern along the causal graph.
class PatternGrowth {
public:
    PatternGrowth(const GroundTask& task, Budget& watch) : task_(task), together_(task.variable_count()) {
        const auto variable = variables_of_facts(task);
        std::vector<std::uint32_t> mentioned;
        for (ActionId action = 0; action < task.action_count(); ++action) {
            watch.tick();
            mentioned.clear();
            for (auto fact : task.precondition[action]) mentioned.push_back(variable[fact]);
            for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
                mentioned.push_back(variable[task.effect[e]]);
                for (auto fact : task.effect_condition[e]) mentioned.push_back(variable[fact]);
            }
            std::erase_if(mentioned, [&](auto v) { return task.layer[v] >= 0; });
            for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
                for (auto other : mentioned) ++together_[variable[task.effect[e]]][other];
            }
        }
    }

    // The variables of the pattern, followed by others. In each step the variable of greatest weight is appended. Its
    // weight is the number of times that actions with an effect on a variable of the list mention it, divided by the
    // size of its domain.
    std::vector<std::uint32_t> order(const VariablePattern& pattern, std::size_t longest) const {
        std::vector<std::uint32_t> order(pattern);
        std::vector<double> weight(task_.variable_count());
        for (std::size_t next = 0; next < order.size(); ++next) {
            for (auto [other, times] : together_[order[next]])
                weight[other] += times / double(task_.domain_size[other]);
            if (next + 1 < order.size()) continue;
            for (auto taken : order) weight[taken] = 0;
            const auto best = std::ranges::max_element(weight);
            if (best == weight.end() || *best <= 0 || order.size() >= longest) break;
            order.push_back(static_cast<std::uint32_t>(best - weight.begin()));
        }
        return order;
    }

private:
    const GroundTask& task_;
    // Variable -> variables mentioned by actions with an effect on it, and how often.
    std::vector<std::map<std::uint32_t, double>> together_;
};

}  // namespace

std::vector<Abstraction> large_projections(const GroundTask& task, std::span<const std::int32_t> start,
                                           const ProjectionLimits& limits, Budget& watch) {
    const auto variable = variables_of_facts(task);
    std::vector<VariablePattern> seeds(1);
    for (auto fact : task.goal) {
        if (task.layer[variable[fact]] >= 0) continue;
        seeds.push_back({variable[fact]});
        seeds[0].push_back(variable[fact]);
    }
    if (seeds[0].size() < 2 || seeds[0].size() > limits.variables) seeds.erase(seeds.begin());
    const PatternGrowth growth(task, watch);
    ProjectionBuilder builder(task, watch);
    std::vector<Abstraction> found;
    std::size_t work = 0;
    for (const auto& seed : seeds) {
        const auto order = growth.order(seed, limits.variables);
        std::optional<Abstraction> largest;
        // Finds the longest prefix of the order that fits, by bisection.
        for (std::size_t fits = 0, too_long = order.size() + 1; fits + 1 < too_long && work < limits.work;) {
            const std::size_t length = fits == 0 && too_long > order.size() ? order.size() : (fits + too_long) / 2;
            VariablePattern pattern(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(length));
            std::ranges::sort(pattern);
            auto built = builder.build_reachable(pattern, start, limits.states, limits.work / 8);
            work += built ? built->work() : limits.states;
            (built ? fits : too_long) = length;
            if (built) largest = std::move(built);
        }
        auto same = [&](const Abstraction& each) { return each.pattern() == largest->pattern(); };
        if (largest && std::ranges::none_of(found, same)) found.push_back(std::move(*largest));
    }
    return found;
}

}  // namespace fsplan
