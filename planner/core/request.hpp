// What a search is asked and what it answers; the same for every source.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph.hpp"
#include "policy.hpp"

namespace fsplan {

class Incumbents;   // incumbents.hpp
struct SearchInfo;  // search/info.hpp
struct OrderInfo;
enum class Alpha { all_actions, applicable };
enum class Preferred { policy, ff };
enum class Status { solved, unsolvable, not_found, timeout, memout, interrupted };

// w = numerator / denominator, exactly; w >= 1.
struct Weight {
    std::int64_t numerator = 1;
    std::int64_t denominator = 1;
};

// Ties between equal keys are broken by these, in turn; `newest` and `oldest` end the list.
enum class Tie { f, h, newest, oldest };

struct Limits {
    double seconds = 0;            // 0: none
    std::size_t memory_bytes = 0;  // of the whole process; 0: none
    std::uint64_t expansions = 0;  // 0: none
};

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
    double search_seconds = 0;
    std::size_t peak_memory_bytes = 0;     // of the process
    std::size_t node_bytes = 0;            // bytes per node of store, node arrays and hash, at the end
};

struct Progress {
    std::uint64_t expanded;
    double seconds;
    Cost f_min;
    Cost lower_bound;
    Cost incumbent;  // kDeadEnd: none yet
    std::size_t memory_bytes;
};

struct Incumbent {
    std::vector<ActionId> plan;
    Cost cost;
    Cost lower_bound;
};

// An edge as an order sees it: the value of the path so far and what the edge adds.
struct OrderStep {
    double parent;           // the parent's value; 0 at the start
    double log_probability;  // log π(action | parent's state)
    std::int32_t rank;       // among the applicable actions, 0 the policy's first choice
    std::int32_t applicable; // how many actions are applicable in the parent's state
    ActionId action;
    Cost cost;               // of the edge
    Cost g;                  // of the child, by this edge
    Cost h;
};

// The child's value, by which FOCAL is ordered; smaller first.
using CustomFunction = std::function<double(const OrderStep&)>;

struct SearchRequest {
    const SearchInfo* search = nullptr;  // one of the list in search/dispatch.hpp
    const OrderInfo* order = nullptr;    // focal: one of the list in search/order.hpp
    Weight w;
    std::string heuristic;              // a name the source knows
    std::shared_ptr<Policy> policy;     // may be null where the search needs none
    double accuracy = 0;                // Disc-1's acc
    Alpha alpha = Alpha::all_actions;
    Preferred preferred = Preferred::policy;
    bool alternate = false;             // prefastar: Fast Downward's alternation with boost
    std::vector<Tie> ties;
    bool reopen = true;
    bool uncertified = false;           // allow an inadmissible h for OPEN, without a bound
    bool anytime = false;
    std::size_t lookahead = 0;          // score the best k nodes of FOCAL together (expansions do not change); 0: as the policy prefers
    bool lazy = false;                  // focal: evaluate nodes when they surface, until then by their parent's h
    bool fresh = false;                 // focal: rank only actions that lead to a state not yet reached so cheaply
    bool hedge = false;                 // focal: the least g + w·h of FOCAL gets a turn for each one of the order
    std::uint32_t prove = 0;            // focal: expand so many nodes of least f for each one of FOCAL
    std::uint64_t deepen = 0;           // focal: depth-first nodes for each expansion, to raise the bound
    std::size_t k_focal = 1;            // K-Focal: k nodes leave FOCAL together, then the bound is updated
    std::uint64_t seed = 0;
    Limits limits;
    CustomFunction custom_order;
    Cost known_bound = 0;                                 // proven elsewhere: no plan costs less
    std::optional<Incumbent> known_plan;                  // found elsewhere; the search need not find it again
    std::shared_ptr<Incumbents> incumbents;               // shared with other searches for the same task, or null
    std::function<bool(const Progress&)> on_progress;     // about ten times a second; false: interrupt
    std::function<void(const Incumbent&)> on_incumbent;   // anytime and optimistic: each better plan
};

struct SearchResult {
    Status status = Status::not_found;
    std::vector<ActionId> plan;
    Cost cost = kDeadEnd;
    Cost lower_bound = 0;    // kDeadEnd once unsolvability is proven
    bool certified = false;  // lower_bound is proven and cost <= w * lower_bound
    Statistics statistics;
};

}  // namespace fsplan
