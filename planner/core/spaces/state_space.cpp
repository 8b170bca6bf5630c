#include "spaces/state_space.hpp"

namespace fsplan {

std::unique_ptr<SearchInProgress> StateSpace::start(SearchRequest) {
    throw std::invalid_argument("searches of this kind of task cannot be run in slices");
}

ExploredGraph StateSpace::explore(const std::string&, std::size_t, Budget&) {
    throw std::invalid_argument("the graph of this kind of task cannot be enumerated");
}

std::vector<Successor> StateSpace::successors(std::span<const std::int32_t>) {
    throw std::invalid_argument("this kind of task has no successors of a single state");
}

bool StateSpace::is_goal(std::span<const std::int32_t>) {
    throw std::invalid_argument("this kind of task has no goal test of a single state");
}

Evaluated StateSpace::evaluate(const std::string&, std::span<const std::int32_t>) {
    throw std::invalid_argument("this kind of task has no heuristics of a single state");
}

std::vector<Reached> StateSpace::execute(const std::vector<std::string>& steps) {
    std::set<Reached> reached{{0, start_values()}};
    for (std::size_t number = 0; number < steps.size(); ++number) {
        std::set<Reached> next;
        for (const Reached& before : reached)
            for (Successor& successor : successors(before.values))
                if (action_name(successor.action) == steps[number])
                    next.insert({before.cost + successor.cost, std::move(successor.values)});
        if (next.empty())
            throw std::invalid_argument("step " + std::to_string(number + 1) + ", (" + steps[number] + "), fails");
        reached = std::move(next);
    }
    return {reached.begin(), reached.end()};
}

std::unique_ptr<StateSpace> StateSpace::at(std::span<const std::int32_t>) {
    throw std::invalid_argument("this kind of task cannot start elsewhere");
}

StateSpace::Estimator StateSpace::estimator(const std::string&) {
    throw std::invalid_argument("this kind of task has no heuristic of a single state");
}

std::string StateSpace::identity() const {
    throw std::invalid_argument("this kind of task has no identity to compare");
}

std::string StateSpace::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (auto value : values) {
        if (!name.empty()) name += ' ';
        name += std::to_string(value);
    }
    return name;
}

}  // namespace fsplan
