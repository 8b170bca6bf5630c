// The options of a search, each declared once. The command line, its help, the checks, the Python functions and the
// record of a run are derived from this table.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/names.hpp"
#include "contract/options.hpp"

namespace fsplan {

namespace {

constexpr double kLargestShare = 1'000'000;
using O = SearchOptions;

constexpr std::array kOptions{
    OptionInfo{.name = "search", .member = &O::search, .summary = "the search", .group = "common", .by_all = true},
    OptionInfo{.name = "order", .member = &O::order, .summary = "how focal search orders FOCAL", .group = "common"},
    OptionInfo{.name = "w",
               .member = &O::w,
               .summary = "suboptimality bound, at least 1; decimals and fractions are exact",
               .metavar = "W",
               .group = "common"},
    OptionInfo{.name = "heuristic",
               .member = &O::heuristic,
               .summary = "the heuristic",
               .metavar = "H",
               .group = "common",
               .by_all = true},
    OptionInfo{.name = "policy", .member = &O::policy_name, .summary = "the policy", .metavar = "P", .group = "common"},
    OptionInfo{
        .name = "accuracy",
        .member = &O::accuracy,
        .summary = "disc1: how often the policy's first choice is optimal; if not given, the policy's own, for ff 0.8",
        .metavar = "A",
        .least = 1e-300,
        .most = 1},
    OptionInfo{.name = "anytime",
               .member = &O::anytime,
               .summary = "continue after the first plan, towards an optimal one",
               .group = "common"},
    OptionInfo{.name = "paper",
               .member = &O::paper,
               .summary = "focal: Algorithm 1 to the letter, with h_max and the documented tie-breaking",
               .group = "common"},
    OptionInfo{.name = "threads",
               .member = &O::threads,
               .summary = "auto: number of threads; with 1 a run can be repeated exactly, 0 uses all cores",
               .metavar = "N",
               .most = 1024},
    OptionInfo{.name = "seed",
               .member = &O::seed,
               .summary = "seed of random numbers, for policies and searches that draw them",
               .metavar = "N",
               .most = 1.8446744073709552e19},
    OptionInfo{.name = "time_limit",
               .member = &O::time_limit,
               .summary = "stop after this long, e.g. 30s, 5m, 1h",
               .metavar = "TIME",
               .group = "common",
               .least = 1e-9,
               .most = kLargestLimit,
               .by_all = true},
    OptionInfo{.name = "memory_limit",
               .member = &O::memory_limit,
               .summary = "stop at this much memory of the process, e.g. 500MB, 4GB",
               .metavar = "SIZE",
               .group = "common",
               .least = 1,
               .most = kLargestLimit,
               .by_all = true},
    OptionInfo{.name = "expansion_limit",
               .member = &O::expansion_limit,
               .summary = "stop after this many expansions",
               .metavar = "N",
               .least = 1,
               .most = kLargestLimit,
               .by_all = true},
    OptionInfo{.name = "alpha",
               .member = &O::alpha,
               .summary = "disc1: α + 1 is the number of all actions of the task, or of the applicable ones"},
    OptionInfo{
        .name = "masked",
        .member = &O::masked,
        .summary = "whether the policy decides among the applicable actions only, or among all actions of the task"},
    OptionInfo{.name = "ties",
               .member = &O::ties,
               .summary = "tie-breaking between equal keys, e.g. f,h,newest",
               .metavar = "LIST"},
    OptionInfo{
        .name = "reopen",
        .member = &O::reopen,
        .summary = "whether states that are reached again more cheaply are re-opened; if not, nothing is certified"},
    OptionInfo{.name = "symmetry",
               .member = &O::symmetry,
               .summary = "PDDL tasks: states that differ only by swaps of interchangeable objects count as one state",
               .by_all = true},
    OptionInfo{.name = "uncertified",
               .member = &O::uncertified,
               .summary = "allow an inadmissible heuristic, which proves no bound"},
    OptionInfo{.name = "preferred",
               .member = &O::preferred,
               .summary = "prefastar: whether the policy's first choice or h_FF's helpful actions are preferred"},
    OptionInfo{
        .name = "alternate",
        .member = &O::alternate,
        .summary = "prefastar: alternate between preferred and regular nodes with boosts, as Fast Downward does"},
    OptionInfo{.name = "lookahead",
               .member = &O::lookahead,
               .summary = "number of nodes of FOCAL that one call of the policy scores; expansions do not change",
               .metavar = "K",
               .least = 1,
               .most = kLargestLimit},
    OptionInfo{.name = "k_focal",
               .member = &O::k_focal,
               .summary = "K-Focal search: K nodes leave FOCAL before the bound is updated",
               .metavar = "K",
               .least = 1,
               .most = kLargestLimit},
    OptionInfo{.name = "lazy",
               .member = &O::lazy,
               .summary = "focal: evaluate nodes when they leave a queue, not when they are generated"},
    OptionInfo{.name = "fresh",
               .member = &O::fresh,
               .summary = "focal: rank only actions that lead to states not yet reached as cheaply"},
    OptionInfo{.name = "hedge",
               .member = &O::hedge,
               .summary = "focal: for each expansion by the order, expand the least g + w·h of FOCAL as well"},
    OptionInfo{.name = "prove",
               .member = &O::prove,
               .summary = "focal: for each expansion by the order, expand N nodes of least f to raise the bound",
               .metavar = "N",
               .most = kLargestShare},
    OptionInfo{.name = "deepen",
               .member = &O::deepen,
               .summary = "focal, cheap states: visit N nodes depth-first per expansion to raise the bound",
               .metavar = "N",
               .most = kLargestShare},
    OptionInfo{.name = "probability",
               .member = &O::probability,
               .summary = "pfs: how likely an expansion is the order's choice; 1 is Algorithm 1",
               .metavar = "P",
               .least = 0,
               .most = 1},
    OptionInfo{.name = "width",
               .member = &O::width,
               .summary = "beam: states per layer",
               .metavar = "N",
               .least = 1,
               .most = kLargestLimit},
    OptionInfo{.name = "normalise",
               .member = &O::normalise,
               .summary = "beam: scores of paths as they are, relative to the first choices, or per action"},
    OptionInfo{.name = "sample",
               .member = &O::sample,
               .summary = "unroll: draw each action from the policy instead of following its first choice"},
    OptionInfo{.name = "steps",
               .member = &O::steps,
               .summary = "unroll: at most K actions; with --sample 1000 if not given",
               .metavar = "K",
               .least = 1,
               .most = kLargestLimit},
    OptionInfo{
        .name = "samples",
        .member = &O::samples,
        .summary = "unroll --sample: number of runs, with seeds N, N+1, …; success rate and mean cost are reported",
        .metavar = "M",
        .least = 1,
        .most = kLargestLimit},
};
static_assert(kOptions.size() <= 64, "SearchOptions::given has one bit per option");

}  // namespace

std::span<const OptionInfo> option_table() { return kOptions; }

const OptionInfo& find_option(std::string_view name) {
    const auto found =
        std::find_if(kOptions.begin(), kOptions.end(), [&](const auto& option) { return option.name == name; });
    if (found != kOptions.end()) return *found;
    std::vector<std::string_view> names;
    for (const OptionInfo& option : kOptions) names.push_back(option.name);
    throw std::invalid_argument("option " + quoted(name) + " is unknown; choose one of: " + joined(names));
}

}  // namespace fsplan
