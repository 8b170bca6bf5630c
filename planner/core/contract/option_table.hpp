// The options of a search, each declared once. The command line, its help, the checks, the Python functions and the
// record of a run are derived from this table.
#pragma once

#include "contract/options.hpp"

namespace fsplan {

inline constexpr double kLargestShare = 1'000'000;

inline constexpr std::array kOptions{
    OptionInfo{"search", &SearchOptions::search, "the search"}.common().read_by_all(),
    OptionInfo{"order", &SearchOptions::order, "how focal search orders FOCAL"}.common(),
    OptionInfo{"w", &SearchOptions::w, "suboptimality factor, at least 1; decimals and fractions are exact"}.common(),
    OptionInfo{"heuristic", &SearchOptions::heuristic, "the heuristic"}.common().read_by_all(),
    OptionInfo{"policy", &SearchOptions::policy_name, "the policy"}.common(),
    OptionInfo{"accuracy", &SearchOptions::accuracy,
               "disc1: share of states with an optimal first choice; default: the policy's own value, 0.8 for ff"}
        .within(1e-300, 1),
    OptionInfo{"anytime", &SearchOptions::anytime, "continue after the first plan, towards an optimal one"}.common(),
    OptionInfo{"paper", &SearchOptions::paper,
               "focal: the paper's Algorithm 1, with h_max and the documented tie-breaking"}
        .common(),
    OptionInfo{"threads", &SearchOptions::threads,
               "auto: number of threads; with 1 a run can be repeated exactly, 0 uses all cores"}
        .within(0, 1024),
    OptionInfo{"seed", &SearchOptions::seed, "seed of random numbers, for policies and searches that draw them"}.within(
        0, 1.8446744073709552e19),
    OptionInfo{"time_limit", &SearchOptions::time_limit, "time limit in seconds"}
        .within(1e-9, kLargestLimit)
        .common()
        .read_by_all(),
    OptionInfo{"memory_limit", &SearchOptions::memory_limit, "memory limit of the process in bytes"}
        .within(1, kLargestLimit)
        .common()
        .read_by_all(),
    OptionInfo{"expansion_limit", &SearchOptions::expansion_limit, "stop after this many expansions"}
        .within(1, kLargestLimit)
        .read_by_all(),
    OptionInfo{"alpha", &SearchOptions::alpha,
               "disc1: α + 1 is the number of all actions of the task, or of the applicable ones"},
    OptionInfo{"masked", &SearchOptions::masked,
               "masked (default): the policy ranks applicable actions only; unmasked: all actions of the task"},
    OptionInfo{"ties", &SearchOptions::ties, "tie-breaking between equal keys, e.g. f,h,newest"},
    OptionInfo{"reopen", &SearchOptions::reopen,
               "re-open states that are reached by a cheaper path (default); if not, nothing is certified"},
    OptionInfo{"symmetry", &SearchOptions::symmetry,
               "PDDL tasks: states that differ only by swaps of interchangeable objects count as one state"}
        .read_by_all(),
    OptionInfo{"uncertified", &SearchOptions::uncertified, "allow an inadmissible heuristic, which proves no bound"},
    OptionInfo{"preferred", &SearchOptions::preferred,
               "prefastar: whether the policy's first choice or h_FF's helpful actions are preferred"},
    OptionInfo{"alternate", &SearchOptions::alternate,
               "prefastar: alternate between preferred and regular nodes with boosts, as Fast Downward does"},
    OptionInfo{"lookahead", &SearchOptions::lookahead,
               "number of nodes of FOCAL that one call of the policy scores; expansions do not change"}
        .within(1, kLargestLimit),
    OptionInfo{"k_focal", &SearchOptions::k_focal, "K-Focal search: K nodes leave FOCAL before the bound is updated"}
        .within(1, kLargestLimit),
    OptionInfo{"lazy", &SearchOptions::lazy,
               "focal: evaluate nodes when they leave a queue, not when they are generated"},
    OptionInfo{"fresh", &SearchOptions::fresh,
               "focal: rank only actions to new states, or by a cheaper path to others"},
    OptionInfo{"hedge", &SearchOptions::hedge,
               "focal: for each expansion by the order, expand the least g + w·h of FOCAL as well"},
    OptionInfo{"prove", &SearchOptions::prove,
               "focal: for each expansion by the order, expand N nodes of least f to raise the bound"}
        .within(0, kLargestShare),
    OptionInfo{"deepen", &SearchOptions::deepen,
               "focal, puzzles: visit N nodes of IDA* per expansion to raise the bound"}
        .within(0, kLargestShare),
    OptionInfo{"probability", &SearchOptions::probability,
               "pfs: probability of an expansion by the order; otherwise least f"}
        .within(0, 1),
    OptionInfo{"width", &SearchOptions::width, "beam: states per layer"}.within(1, kLargestLimit),
    OptionInfo{"normalise", &SearchOptions::normalise,
               "beam: Σ log π of a path as it is, relative to the first choices, or per action"},
    OptionInfo{"sample", &SearchOptions::sample,
               "unroll: draw each action from the policy instead of following its first choice"},
    OptionInfo{"steps", &SearchOptions::steps, "unroll: at most K actions; default with --sample: 1000"}.within(
        1, kLargestLimit),
    OptionInfo{"samples", &SearchOptions::samples,
               "unroll --sample: number of runs, with seeds N, N+1, …; reports success rate and mean cost"}
        .within(1, kLargestLimit),
};
static_assert(kOptions.size() <= 64, "SearchOptions::given and OptionSet have one bit per option");

constexpr std::uint64_t bit_of(const OptionInfo& option) { return std::uint64_t{1} << (&option - kOptions.data()); }

// A set of options, written as their names, separated by spaces. The compiler refuses names that are not in the table.
class OptionSet {
public:
    consteval OptionSet(const char* names) {
        for (std::string_view rest = names; !rest.empty();) {
            const std::string_view name = rest.substr(0, rest.find(' '));
            const auto option = std::ranges::find(kOptions, name, &OptionInfo::name);
            if (option == kOptions.end()) throw std::invalid_argument("no such option");
            bits_ |= bit_of(*option);
            rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        }
    }
    constexpr bool contains(const OptionInfo& option) const { return (bits_ & bit_of(option)) != 0; }
    constexpr bool contains(OptionSet some) const { return (bits_ & some.bits_) != 0; }

private:
    std::uint64_t bits_ = 0;
};

}  // namespace fsplan
