// Requests to searches and their results, the same for every state space.
#pragma once

#include "base/budget.hpp"
#include "contract/graph.hpp"
#include "contract/options.hpp"
#include "contract/policy.hpp"

namespace fsplan {

class Incumbents;  // contract/incumbents.hpp
enum class Status { solved, unsolvable, not_found, timeout, memout, expansion_limit, interrupted };

inline Status status_of(Limit limit) {
    switch (limit) {
        case Limit::time: return Status::timeout;
        case Limit::memory: return Status::memout;
        case Limit::expansions: return Status::expansion_limit;
        case Limit::interrupted: break;
    }
    return Status::interrupted;
}

struct Statistics {
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t evaluated = 0;
    std::uint64_t reopened = 0;
    std::uint64_t dead_ends = 0;
    std::uint64_t deepened = 0;            // nodes of the passes that raise the bound
    std::uint64_t policy_evaluations = 0;  // states scored
    std::uint64_t policy_calls = 0;        // batches
    std::uint64_t registered = 0;          // distinct states
    std::uint64_t unrolled = 0;            // runs of the policy
    std::uint64_t arrived = 0;             // runs of the policy that reached a goal
    std::uint64_t arrived_cost = 0;        // total cost of the plans of these runs
    std::uint64_t unrolled_steps = 0;      // number of actions of the last run of the policy
    // Why that run ended: "goal", "circle", "dead end", "step limit" or "inapplicable action".
    const char* unrolled_end = "";
    double search_seconds = 0;
    std::size_t peak_memory_bytes = 0;  // peak memory of the process
    std::size_t node_bytes = 0;         // bytes per node of store, node arrays and hash, at the end
};

// Slices are measured in units of work, so that runs are repeatable; a unit is three to ten nanoseconds. A heuristic
// counts its own (heuristics/ground_heuristic.hpp), as does a graph up to symmetry; generating a state and finding its
// place in tables and queues takes kWorkOfState. Before a search of a ground task, the successor generator and the
// relaxation are built, which takes kWorkOfAction for each action.
inline constexpr std::uint64_t kWorkOfState = 100;
inline constexpr std::uint64_t kWorkOfAction = 250;
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

struct Progress {
    std::uint64_t expanded;
    double seconds;
    Cost f_min;
    Cost lower_bound;
    Cost incumbent;  // kInfinite if there is none yet
    std::size_t memory_bytes;
};

// A node that is about to be expanded, for observers of a search.
struct Expansion {
    std::uint64_t number;  // from 1
    StateId state;         // numbers in the order in which the search reached the states
    StateId parent;        // kNoState at the start
    ActionId action;       // the action that leads from the parent to the state
    Cost g;
    Cost h;
    Cost f_min;  // least f of the open nodes
    Cost lower_bound;
    Cost incumbent;     // kInfinite if there is none yet
    const char* queue;  // name of the queue that the node left; null if the search has no queues
    double key;         // the node's key in that queue
    std::vector<std::int32_t> values;
};

struct Incumbent {
    std::vector<ActionId> plan;
    Cost cost;
    Cost lower_bound;
};

// An edge as an order sees it: the value of the path so far and what the edge adds.
struct OrderStep {
    double parent;            // the parent's value; 0 at the start
    double log_probability;   // log π(action | parent's state)
    std::int32_t rank;        // rank of the action among the applicable ones; 0 for the policy's first choice
    std::int32_t applicable;  // number of actions that are applicable in the parent's state
    ActionId action;
    Cost cost;  // cost of the edge
    Cost g;     // g of the child if it is reached by this edge
    Cost h;
    Cost parent_h;  // h of the parent
};

// The child's value, by which FOCAL is ordered; smaller first.
using CustomFunction = std::function<double(const OrderStep&)>;

// A heuristic that is a function of a state's values; kDeadEnd where no goal can be reached.
struct CustomHeuristic {
    std::function<Cost(std::span<const std::int32_t>)> function;
    bool admissible = true;
};

// The options, together with objects (policy, functions) and with plans and bounds that are known before the search.
struct SearchRequest : SearchOptions {
    std::shared_ptr<Policy> policy;  // may be null where the search needs none
    CustomFunction custom_order;
    std::vector<double> accuracy_profile;                // accuracy of the policy, indexed by goal distance
    std::optional<CustomHeuristic> custom_heuristic;     // replaces the named heuristic; ground tasks only
    Cost known_bound = 0;                                // proven elsewhere: no plan costs less
    std::optional<Incumbent> known_plan;                 // found elsewhere; the search need not find it again
    bool ends_without_memory = false;                    // true: end at the memory limit, without below_frontier.hpp
    std::shared_ptr<Incumbents> incumbents;              // shared with other searches for the same task, or null
    std::function<bool(const Progress&)> on_progress;    // called about ten times a second; false ends the search
    std::function<void(const Expansion&)> on_expansion;  // called before each expansion
    std::function<void(const Incumbent&)> on_incumbent;  // called for each better plan (anytime, optimistic)
};

struct SearchResult {
    Status status = Status::not_found;
    std::vector<ActionId> plan;
    Cost cost = kInfinite;
    Cost lower_bound = 0;    // kInfinite once unsolvability is proven
    bool certified = false;  // lower_bound is proven and cost <= w * lower_bound
    Statistics statistics;
    std::uint64_t work = 0;
};

}  // namespace fsplan
