// Interface of a state space to Python: running searches, executing plans, listing actions, evaluating states. Each
// kind of task derives a class that implements search() by run_search (search/dispatch.hpp) for its graph.
#pragma once

#include <atomic>

#include "contract/heuristic.hpp"
#include "contract/request.hpp"
#include "search/in_progress.hpp"
#include "spaces/explore.hpp"

namespace fsplan {

struct Successor {
    ActionId action;
    Cost cost;
    std::vector<std::int32_t> values;
};

// The evaluation of a state by a heuristic: h and guide, and the helpful actions.
struct Evaluated {
    Evaluation value;
    std::vector<ActionId> helpful;
};

struct Reached {
    std::int64_t cost;
    std::vector<std::int32_t> values;
    friend auto operator<=>(const Reached&, const Reached&) = default;
};

class StateSpace {
    friend class ExclusiveUse;

public:
    virtual ~StateSpace() = default;
    virtual SearchResult search(const SearchRequest& request) = 0;
    // Starts a search that runs in slices. The space must outlive it and must not be used otherwise until it ends.
    virtual std::unique_ptr<SearchInProgress> start(SearchRequest) {
        refuse("searches of this kind of task cannot be run in slices");
    }
    // Enumerates the reachable states, with h of each state if a heuristic is named. Throws TooManyStates.
    virtual ExploredGraph explore(const std::string&, std::size_t, Budget&) {
        refuse("the graph of this kind of task cannot be enumerated");
    }
    virtual std::size_t action_count() const = 0;
    virtual std::string action_name(ActionId action) const = 0;
    virtual std::size_t width() const = 0;
    virtual std::vector<std::int32_t> domain_sizes() const = 0;  // one for each of the width() integers of a state
    virtual std::vector<std::int32_t> start_values() = 0;
    // The successors of a state, in ascending order of actions.
    virtual std::vector<Successor> successors(std::span<const std::int32_t>) {
        refuse("this kind of task has no successors of a single state");
    }
    virtual bool is_goal(std::span<const std::int32_t>) {
        refuse("this kind of task has no goal test of a single state");
    }
    virtual Evaluated evaluate(const std::string&, std::span<const std::int32_t>) {
        refuse("this kind of task has no heuristics of a single state");
    }
    // Executes actions, given by name, in the initial state. Several actions may have the same name, so the result is
    // the set of all states that the steps can lead to, with the costs of the paths. Throws std::invalid_argument if a
    // step is not applicable.
    std::vector<Reached> execute(const std::vector<std::string>& steps) {
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
    // Returns a space with the same graph and another initial state; this space must outlive it.
    virtual std::unique_ptr<StateSpace> at(std::span<const std::int32_t>) {
        refuse("this kind of task cannot start elsewhere");
    }
    // A function that computes a heuristic's value of a state, for policies; this space must outlive it.
    using Estimator = std::function<Cost(std::span<const std::int32_t> values)>;
    virtual Estimator estimator(const std::string&) { refuse("this kind of task has no heuristic of a single state"); }
    // A text that is the same for state spaces that differ at most in the initial state.
    virtual std::string identity() const { refuse("this kind of task has no identity to compare"); }
    // The state as readable text, such as its true facts or the board; by default its values.
    virtual std::string state_name(std::span<const std::int32_t> values) const {
        std::string name;
        for (auto value : values) {
            if (!name.empty()) name += ' ';
            name += std::to_string(value);
        }
        return name;
    }
    virtual std::size_t bytes_per_state() const = 0;
    virtual HeuristicInfos heuristics() const = 0;  // those that search() accepts; the first is the default

private:
    [[noreturn]] static void refuse(const char* why) { throw std::invalid_argument(why); }

    std::atomic_flag occupied_;
};

// Lock of a state space, which only one caller may use at a time. The constructor throws if the space is already in
// use, by another thread or by a search whose callback tries to use it.
class ExclusiveUse {
public:
    explicit ExclusiveUse(StateSpace& space) : space_(space) {
        if (space.occupied_.test_and_set())
            throw std::runtime_error("this task is being searched or walked already; load it again for a second use");
    }
    ~ExclusiveUse() { space_.occupied_.clear(); }
    ExclusiveUse(const ExclusiveUse&) = delete;
    ExclusiveUse& operator=(const ExclusiveUse&) = delete;

private:
    StateSpace& space_;
};

}  // namespace fsplan
