#include "abstractions/patterns.hpp"

#include <algorithm>
#include <set>


namespace fsplan {

namespace {

// variable -> the variables that some action needs or sets while it sets this one, ascending; derived ones left out.
std::vector<std::vector<std::uint32_t>> influences(const GroundTask& task) {
    const auto variable = variables_of_facts(task);
    std::vector<std::vector<std::uint32_t>> found(task.variable_count());
    std::vector<std::uint32_t> touched;
    for (ActionId action = 0; action < task.action_count(); ++action) {
        touched.clear();
        for (auto fact : task.precondition[action]) touched.push_back(variable[fact]);
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
            touched.push_back(variable[task.effect[e]]);
            for (auto fact : task.effect_condition[e]) touched.push_back(variable[fact]);
        }
        std::erase_if(touched, [&](auto v) { return task.layer[v] >= 0; });
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
            auto& row = found[variable[task.effect[e]]];
            if (row.size() + touched.size() > 4 * task.variable_count() + 64) {
                std::sort(row.begin(), row.end());
                row.erase(std::unique(row.begin(), row.end()), row.end());
            }
            row.insert(row.end(), touched.begin(), touched.end());
        }
    }
    for (auto& row : found) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return found;
}

}  // namespace

std::vector<Projection> systematic_projections(const GroundTask& task, const ProjectionLimits& limits) {
    const auto variable = variables_of_facts(task);
    const auto influence = influences(task);
    ProjectionBuilder builder(task);
    std::vector<Projection> projections;
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
                work += task.action_count() / 8;  // failures take time as well
                continue;
            }
            work += projection->work();
            projections.push_back(std::move(*projection));
            if (length == limits.variables || longer.size() > 4 * limits.projections) continue;
            for (auto member : pattern) {
                for (auto other : influence[member]) {
                    if (std::find(pattern.begin(), pattern.end(), other) != pattern.end()) continue;
                    auto extended = pattern;
                    extended.insert(std::upper_bound(extended.begin(), extended.end(), other), other);
                    longer.insert(std::move(extended));
                }
            }
        }
        patterns = std::move(longer);
    }
    return projections;
}

}  // namespace fsplan
