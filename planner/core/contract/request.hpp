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
    std::uint64_t deepened = 0;            // nodes visited by depth-first passes that raise the bound
    std::uint64_t policy_evaluations = 0;  // states scored by the policy
    std::uint64_t policy_calls = 0;        // batches passed to the policy
    std::uint64_t registered = 0;          // distinct states
    std::uint64_t unrolled = 0;            // number of runs of the policy (search `unroll`)
    std::uint64_t arrived = 0;             // number of these runs that reached a goal
    std::uint64_t arrived_cost = 0;        // total cost of the plans of the runs that reached a goal
    std::uint64_t unrolled_steps = 0;      // number of actions in the last run of the policy
    // Why the last run ended: "goal", "circle", "dead end", "step limit" or "inapplicable action".
    const char* unrolled_end = "";
    double search_seconds = 0;
    std::size_t peak_memory_bytes = 0;  // peak memory of the process
    std::size_t node_bytes = 0;         // bytes per node in the state store, node arrays and hash table at the end
};

// The slices of a search are measured in units of work, so that runs are repeatable; a unit takes three to ten
// nanoseconds. Heuristics (heuristics/ground_heuristic.hpp) and graphs up to symmetry count their own work; generating a
// state and inserting it into tables and queues counts kWorkOfState. Before a search of a ground task, the successor
// generator and the relaxation are built, which counts kWorkOfAction for each action.
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
    std::uint64_t number;  // number of the expansion, counted from 1
    StateId state;         // states are numbered in the order in which the search reached them
    StateId parent;        // kNoState for the initial state
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

// Input of an order for one edge: the path value of the parent and the properties of the edge.
struct OrderStep {
    double parent;            // the value that the order gave the parent; 0 for the initial state
    double log_probability;   // log π(action | parent's state)
    std::int32_t rank;        // rank of the action among the applicable ones; 0 for the policy's first choice
    std::int32_t applicable;  // number of actions that are applicable in the parent's state
    ActionId action;
    Cost cost;  // cost of the edge
    Cost g;     // g of the child if it is reached by this edge
    Cost h;
    Cost parent_h;  // h of the parent
};

// Returns the child's value, by which FOCAL is sorted in ascending order.
using CustomFunction = std::function<double(const OrderStep&)>;

// A heuristic given as a function of a state's values, which returns kDeadEnd for dead ends.
struct CustomHeuristic {
    std::function<Cost(std::span<const std::int32_t>)> function;
    bool admissible = true;
};

// The options, with the objects (policy, functions), plans and bounds that a search is given.
struct SearchRequest : SearchOptions {
    std::shared_ptr<Policy> policy;  // may be null if the search needs no policy
    CustomFunction custom_order;
    std::vector<double> accuracy_profile;                // accuracy of the policy, indexed by goal distance
    std::optional<CustomHeuristic> custom_heuristic;     // replaces the named heuristic; ground tasks only
    Cost known_bound = 0;                                // lower bound proven before this search
    std::optional<Incumbent> known_plan;                 // plan found before this search
    bool ends_without_memory = false;                    // end at the memory limit, without depth-first search
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
