// A state space as Python holds it: run a search, walk a plan, list its actions. Each space implements search() by
// run_search (search/dispatch.hpp) for its graph, so a further native domain is one file.
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

// A heuristic's value of one state, with its guide and the helpful actions.
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
    friend class Occupied;

public:
    virtual ~StateSpace() = default;
    virtual SearchResult search(const SearchRequest& request) = 0;
    // Starts a search that runs in slices. The space must outlive it and must not be used otherwise before it ends.
    virtual std::unique_ptr<SearchInProgress> start(SearchRequest) {
        refuse("searches of this kind of task cannot be run in slices");
    }
    // The reachable graph with h of every state by the named heuristic (empty: none); throws TooManyStates.
    virtual ExploredGraph explore(const std::string&, std::size_t, Budget&) {
        refuse("the graph of this kind of task cannot be enumerated");
    }
    virtual std::size_t action_count() const = 0;
    virtual std::string action_name(ActionId action) const = 0;
    virtual std::size_t width() const = 0;
    virtual std::vector<std::int32_t> domain_sizes() const = 0;  // of the integers in values()
    virtual std::vector<std::int32_t> start_values() = 0;
    // Successors of one state, by ascending action.
    virtual std::vector<Successor> successors(std::span<const std::int32_t>) {
        refuse("this kind of task has no successors of a single state");
    }
    virtual bool is_goal(std::span<const std::int32_t>) {
        refuse("this kind of task has no goal test of a single state");
    }
    virtual Evaluated evaluate(const std::string&, std::span<const std::int32_t>) {
        refuse("this kind of task has no heuristics of a single state");
    }
    // The states that these steps, given by name, can lead to from the initial state, with the costs of the paths. All
    // actions of a name are followed. Throws std::invalid_argument where a step is not applicable.
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
    // A space with the same graph and another initial state; this space must outlive it.
    virtual std::unique_ptr<StateSpace> at(std::span<const std::int32_t>) {
        refuse("this kind of task cannot start elsewhere");
    }
    // A function that computes a heuristic's value of a state, for policies; this space must outlive it.
    using Estimator = std::function<Cost(std::span<const std::int32_t> values)>;
    virtual Estimator estimator(const std::string&) { refuse("this kind of task has no heuristic of a single state"); }
    // Equal for state spaces that differ in nothing but the start.
    virtual std::string identity() const { refuse("this kind of task has no identity to compare"); }
    // Readable name of a state: the true facts, a board, …; by default the values.
    virtual std::string state_name(std::span<const std::int32_t> values) const {
        std::string name;
        for (auto value : values) {
            if (!name.empty()) name += ' ';
            name += std::to_string(value);
        }
        return name;
    }
    virtual std::size_t bytes_per_state() const = 0;
    virtual HeuristicInfos heuristics() const = 0;  // those whose names search() accepts, default first

private:
    [[noreturn]] static void refuse(const char* why) { throw std::invalid_argument(why); }

    std::atomic_flag occupied_;
};

// Guards a state space, which may be used by one caller at a time: throws if a second caller, from another thread or
// from a callback of a search, tries to use it.
class Occupied {
public:
    explicit Occupied(StateSpace& space) : space_(space) {
        if (space.occupied_.test_and_set())
            throw std::runtime_error("this task is being searched or walked already; load it again for a second use");
    }
    ~Occupied() { space_.occupied_.clear(); }
    Occupied(const Occupied&) = delete;
    Occupied& operator=(const Occupied&) = delete;

private:
    StateSpace& space_;
};

}  // namespace fsplan
