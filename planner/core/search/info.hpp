// Declarations of searches and orders. Each is declared once, beside its code; the bindings, the command line, the
// checks and the documentation read the lists of them (search/list.hpp, search/order.hpp).
#pragma once

#include "contract/option_table.hpp"
#include "contract/policy.hpp"
#include "contract/request.hpp"

namespace fsplan {

class Run;
class Steps;

// Which nodes' guides and helpful actions a search reads (evaluation.hpp).
enum class GuideDemand : std::uint8_t { none, on_demand, all };

// Guides that a search needs only because its policy reads them.
inline GuideDemand guides_of_policy(const SearchRequest& request, bool first_choice_only) {
    const Policy* policy = request.policy.get();
    if (policy == nullptr || !policy->needs_guide()) return GuideDemand::none;
    return first_choice_only && policy->prefers_helpful() ? GuideDemand::on_demand : GuideDemand::all;
}

// The guides that a search needs if it reads the policy's scores of all edges, not only its first choice.
inline GuideDemand guides_of_scores(const SearchRequest& request) { return guides_of_policy(request, false); }

inline GuideDemand no_guides(const SearchRequest&) { return GuideDemand::none; }
inline GuideDemand all_guides(const SearchRequest&) { return GuideDemand::all; }

inline bool always(const SearchOptions&) { return true; }
inline bool never(const SearchOptions&) { return false; }

struct SearchInfo {
    std::string_view name;
    std::string_view summary;                               // one sentence
    OptionSet reads = "w ties reopen uncertified anytime";  // beyond the options that every search reads
    std::string_view proves;                                // guarantee on the plan's cost: "optimal", "w" or "nothing"
    // Default options, such as "ties=h,newest prove=1". If the option paper is set, the options in the member `paper`
    // replace `defaults` and `defaults_if_expensive`.
    std::string_view defaults = "ties=h,newest";
    std::string_view defaults_if_expensive = "";  // additional defaults with an expensive heuristic
    std::string_view paper = "";
    // Whether every edge is relaxed when it is generated. Then the open nodes prove a lower bound at any time.
    bool open_proves_bound = false;
    bool needs_admissible = true;  // an inadmissible heuristic needs the option uncertified
    // Whether the search itself draws random numbers, so that it reads the seed.
    bool (*draws)(const SearchOptions&) = never;
    // Whether the search needs a policy; without a given one it gets the task's default policy.
    bool (*needs_policy)(const SearchOptions&) = never;
    GuideDemand (*guide_demand)(const SearchRequest&) = no_guides;
    // Begins the search (steps.hpp).
    std::unique_ptr<Steps> (*make)(Run& run) = nullptr;
};

// The declaration of a search that orders its nodes by the scores of a policy.
constexpr SearchInfo scored_search(std::string_view name, std::string_view summary,
                                   std::unique_ptr<Steps> (*make)(Run& run), std::string_view proves = "nothing") {
    return {.name = name,
            .summary = summary,
            .reads = "w policy masked ties reopen uncertified anytime",
            .proves = proves,
            .open_proves_bound = true,
            .needs_policy = always,
            .guide_demand = guides_of_scores,
            .make = make};
}

struct OrderInfo {
    std::string_view name;
    std::string_view equation;
    std::string_view summary;  // one sentence
    Reading reading;           // the part of the policy's output that it reads
    OptionSet reads = "";
    bool integer_keys = true;
    bool needs_profile = false;  // reads the policy's accuracy by distance to the goal
    bool over_f = false;         // the value is divided by f; computed as value + log f
};

}  // namespace fsplan
