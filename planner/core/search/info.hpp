// What is known of a search and of an order before it runs. Each is declared once, beside its code; the lists of them
// (search/list.hpp, search/order.hpp) are what the bindings, the command line, the checks and the documentation read.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "policy.hpp"
#include "request.hpp"

namespace fsplan {

class Run;
class Steps;

// Which nodes' guides and helpful actions a search reads (evaluation.hpp).
enum class GuideDemand : std::uint8_t { none, on_demand, all };

// What a search reads of guides where only its policy asks for them.
inline GuideDemand guides_of_policy(const SearchRequest& request, bool first_choice_only) {
    const Policy* policy = request.policy.get();
    if (policy == nullptr || !policy->needs_guide()) return GuideDemand::none;
    return first_choice_only && policy->prefers_helpful() ? GuideDemand::on_demand : GuideDemand::all;
}

// For searches that score every edge.
inline GuideDemand guides_of_scores(const SearchRequest& request) { return guides_of_policy(request, false); }

inline bool always(const SearchOptions&) { return true; }
inline bool never(const SearchOptions&) { return false; }

struct SearchInfo {
    std::string_view name;
    std::string_view summary;          // one sentence
    std::string_view reads;            // names of options, separated by spaces, beyond those that every search reads
    std::string_view proves;           // of its plan: "optimal", "w", or "nothing" that is promised in advance
    // What options are where they were not given, such as "ties=h,newest prove=1"; `paper` holds instead of both others
    // where the search is asked to be as its paper has it.
    std::string_view defaults = "";
    std::string_view defaults_if_expensive = "";  // in addition, with a heuristic that takes much longer than a state
    std::string_view paper = "";
    // Every edge is relaxed as it is generated, so the open nodes prove a bound whenever the search is stopped.
    bool open_proves_bound = false;
    bool needs_admissible = true;      // an inadmissible heuristic must be allowed explicitly (uncertified)
    // Whether it reads the seed itself, whatever its policy reads.
    bool (*draws)(const SearchOptions&) = never;
    // Where no policy is given it gets the task's default one.
    bool (*needs_policy)(const SearchOptions&) = never;
    GuideDemand (*guide_demand)(const SearchRequest&) = [](const SearchRequest&) { return GuideDemand::none; };
    // Begins the search (steps.hpp).
    std::unique_ptr<Steps> (*make)(Run& run) = nullptr;
};

struct OrderInfo {
    std::string_view name;
    std::string_view equation;
    std::string_view summary;          // one sentence
    Reading reading;                   // what it reads of the policy's answer
    std::string_view reads = "";       // names of options, separated by spaces
    bool integer_keys = true;
    bool needs_profile = false;        // reads the policy's accuracy by distance to the goal
    bool over_f = false;               // the value is divided by f; computed as value + log f
};

}  // namespace fsplan
