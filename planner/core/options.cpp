#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "names.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

namespace {

constexpr double kLargest = 4.6e18;  // 2^62: a limit beyond it is none
constexpr double kLargestShare = 1'000'000;
using O = SearchOptions;

constexpr std::array kOptions{
    OptionInfo{.name = "search", .member = &O::search, .summary = "the search", .group = "common", .by_all = true},
    OptionInfo{.name = "order", .member = &O::order, .summary = "how focal search orders FOCAL", .group = "common"},
    OptionInfo{.name = "w", .member = &O::w,
               .summary = "suboptimality bound, at least 1; decimals and fractions are exact", .metavar = "W",
               .group = "common"},
    OptionInfo{.name = "heuristic", .member = &O::heuristic,
               .summary = "the heuristic", .metavar = "H", .group = "common",
               .by_all = true},
    OptionInfo{.name = "policy", .member = &O::policy_name,
               .summary = "the policy",
               .metavar = "P", .group = "common"},
    OptionInfo{.name = "accuracy", .member = &O::accuracy,
               .summary = "disc1: how often the policy's first choice is optimal; measured if not given",
               .metavar = "A", .least = 1e-300, .most = 1},
    OptionInfo{.name = "anytime", .member = &O::anytime,
               .summary = "continue after the first plan, towards an optimal one", .group = "common"},
    OptionInfo{.name = "paper", .member = &O::paper,
               .summary = "focal: Algorithm 1 to the letter, with h_max and the documented tie-breaking",
               .group = "common"},
    OptionInfo{.name = "threads", .member = &O::threads,
               .summary = "auto: number of threads; with 1 a run can be repeated exactly, 0 uses all cores",
               .metavar = "N", .most = 1024},
    OptionInfo{.name = "seed", .member = &O::seed,
               .summary = "seed of random numbers, for policies and searches that draw them", .metavar = "N",
               .most = 1.8446744073709552e19},
    OptionInfo{.name = "time_limit", .member = &O::time_limit, .summary = "stop after this long, e.g. 30s, 5m, 1h",
               .metavar = "TIME", .group = "common", .least = 1e-9, .most = kLargest, .by_all = true},
    OptionInfo{.name = "memory_limit", .member = &O::memory_limit,
               .summary = "stop at this much memory of the process, e.g. 500MB, 4GB", .metavar = "SIZE",
               .group = "common", .least = 1, .most = kLargest, .by_all = true},
    OptionInfo{.name = "expansion_limit", .member = &O::expansion_limit, .summary = "stop after this many expansions",
               .metavar = "N", .least = 1, .most = kLargest, .by_all = true},
    OptionInfo{.name = "alpha", .member = &O::alpha,
               .summary = "disc1: α + 1 is the number of all actions of the task, or of the applicable ones"},
    OptionInfo{.name = "masked", .member = &O::masked,
               .summary = "whether the policy decides among the applicable actions only, or among all actions of the task"},
    OptionInfo{.name = "ties", .member = &O::ties, .summary = "tie-breaking between equal keys, e.g. f,h,newest",
               .metavar = "LIST"},
    OptionInfo{.name = "reopen", .member = &O::reopen,
               .summary = "whether states that are reached again more cheaply are re-opened; if not, nothing is certified"},
    OptionInfo{.name = "uncertified", .member = &O::uncertified,
               .summary = "allow an inadmissible heuristic, which proves no bound"},
    OptionInfo{.name = "preferred", .member = &O::preferred,
               .summary = "prefastar: whether the policy's first choice or h_FF's helpful actions are preferred"},
    OptionInfo{.name = "alternate", .member = &O::alternate,
               .summary = "prefastar: alternate between preferred and regular nodes with boosts, as Fast Downward does"},
    OptionInfo{.name = "lookahead", .member = &O::lookahead,
               .summary = "number of nodes of FOCAL that one call of the policy scores; expansions do not change",
               .metavar = "K", .least = 1, .most = kLargest},
    OptionInfo{.name = "k_focal", .member = &O::k_focal,
               .summary = "K-Focal search: K nodes leave FOCAL before the bound is updated", .metavar = "K",
               .least = 1, .most = kLargest},
    OptionInfo{.name = "lazy", .member = &O::lazy,
               .summary = "focal: evaluate nodes when they leave a queue, not when they are generated"},
    OptionInfo{.name = "fresh", .member = &O::fresh,
               .summary = "focal: rank only actions that lead to states not yet reached as cheaply"},
    OptionInfo{.name = "hedge", .member = &O::hedge,
               .summary = "focal: for each expansion by the order, expand the least g + w·h of FOCAL as well"},
    OptionInfo{.name = "prove", .member = &O::prove,
               .summary = "focal: for each expansion by the order, expand N nodes of least f to raise the bound",
               .metavar = "N", .most = kLargestShare},
    OptionInfo{.name = "deepen", .member = &O::deepen,
               .summary = "focal, cheap states: visit N nodes depth-first per expansion to raise the bound",
               .metavar = "N", .most = kLargestShare},
    OptionInfo{.name = "probability", .member = &O::probability,
               .summary = "pfs: how likely an expansion is the order's choice; 1 is Algorithm 1", .metavar = "P",
               .least = 0, .most = 1},
    OptionInfo{.name = "width", .member = &O::width, .summary = "beam: states per layer", .metavar = "N",
               .least = 1, .most = kLargest},
    OptionInfo{.name = "normalise", .member = &O::normalise,
               .summary = "beam: scores of paths as they are, relative to the first choices, or per action"},
    OptionInfo{.name = "sample", .member = &O::sample,
               .summary = "unroll: draw each action from the policy instead of following its first choice"},
    OptionInfo{.name = "steps", .member = &O::steps,
               .summary = "unroll: at most K actions; with --sample 1000 if not given", .metavar = "K", .least = 1,
               .most = kLargest},
    OptionInfo{.name = "samples", .member = &O::samples,
               .summary = "unroll --sample: number of runs, with seeds N, N+1, …; success rate and mean cost are reported",
               .metavar = "M", .least = 1, .most = kLargest},
};
static_assert(kOptions.size() <= 64, "SearchOptions::given has one bit per option");

// The names of each choice, in the order of its enumeration.
constexpr std::array<std::string_view, 2> kAlphas{"all", "applicable"};
constexpr std::array<std::string_view, 2> kPreferred{"policy", "ff"};
constexpr std::array<std::string_view, 3> kNormalise{"none", "first", "length"};
constexpr std::array<std::string_view, 4> kTies{"f", "h", "newest", "oldest"};

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};

template <class Infos>
std::vector<std::string_view> names_of(const Infos& infos) {
    std::vector<std::string_view> names;
    for (const auto* info : infos) names.push_back(info->name);
    return names;
}

std::string digits(double number) {
    char text[32];
    const bool whole = number == std::floor(number) && number < 1e18;
    const auto end = whole ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(number)).ptr
                           : std::to_chars(text, text + sizeof text, number).ptr;
    return {text, end};
}

[[noreturn]] void refuse_number(const OptionInfo& option, std::string_view text) {
    std::string legal = option.least > 0 ? "positive" : "a number from 0";
    if (option.most < kLargest) legal += (option.least > 0 ? " and at most " : " to ") + digits(option.most);
    const std::string name(option.name);
    throw std::invalid_argument(name + (option.least > 0 ? " must be " : " is ") + legal + ", not " + std::string(text));
}

template <class Number>
Number number(const OptionInfo& option, std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = end == text.data() + text.size();
    const auto as_real = error == std::errc::result_out_of_range ? HUGE_VAL : static_cast<double>(value);
    if (whole && as_real > kLargest && option.most == kLargest) return static_cast<Number>(kLargest);
    if (error != std::errc() || !whole || !(as_real >= option.least && as_real <= option.most))
        refuse_number(option, text);
    return value;
}

bool truth(const OptionInfo& option, std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    throw std::invalid_argument(std::string(option.name) + " is true or false, not " + quoted(text));
}

// w as "numerator/denominator".
Weight weight(std::string_view text) {
    Weight w;
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::from_chars(text.data(), text.data() + slash, w.numerator);
    if (slash < text.size()) std::from_chars(text.data() + slash + 1, text.data() + text.size(), w.denominator);
    if (w.denominator < 1 || w.numerator < w.denominator)
        throw std::invalid_argument("w must be at least 1, not " + std::string(text));
    return w;
}

std::vector<Tie> tie_rule(std::string_view text) {
    std::vector<Tie> ties;
    for (const std::string_view name : split(text, ',')) ties.push_back(static_cast<Tie>(chosen("tie", name, kTies)));
    for (std::size_t i = 0; i < ties.size(); ++i) {
        const bool ends = ties[i] == Tie::newest || ties[i] == Tie::oldest;
        if ((ends && i + 1 < ties.size()) || std::count(ties.begin(), ties.end(), ties[i]) > 1)
            throw std::invalid_argument("ties are f and h in any order, then newest or oldest, not " + std::string(text));
    }
    if (ties.empty() || (ties.back() != Tie::newest && ties.back() != Tie::oldest)) ties.push_back(Tie::newest);
    return ties;
}

std::size_t place(const OptionInfo& option) { return static_cast<std::size_t>(&option - kOptions.data()); }

bool contains_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
    }
    return false;
}

bool search_reads(const SearchInfo& search, const OptionInfo& option) {
    const bool with_policy = option.name == "seed" && contains_word(search.reads, "policy");
    return option.by_all || with_policy || contains_word(search.reads, option.name);
}

template <class Infos, class Reads>
std::string readers(const Infos& infos, Reads reads) {
    std::vector<std::string_view> names;
    for (const auto* info : infos)
        if (reads(*info)) names.push_back(info->name);
    return joined(names);
}

std::string unread(const SearchOptions& options, const OptionInfo& option) {
    const auto by_order = [&](const OrderInfo& order) { return contains_word(order.reads, option.name); };
    const auto by_search = [&](const SearchInfo& search) { return search_reads(search, option); };
    const std::string orders = readers(Orders::infos, by_order);
    const bool focal = contains_word(options.search->reads, "order");
    std::string chosen(options.search->name);
    if (!orders.empty() && focal && options.order != nullptr)
        chosen += " with " + (options.order->name.empty() ? "a function as order" : "order " + std::string(options.order->name));
    const std::string legal = orders.empty() ? readers(Searches::infos, by_search) : "focal with order " + orders;
    const bool optimal = option.name == "w" && options.search->proves == "optimal";
    return chosen + " does not read " + std::string(option.name) + "; it is read by: " + legal +
           "; choose one of these or leave it out" + (optimal ? ", as its plans are optimal" : "");
}

// Text such as "ties=h,newest prove=1", for options that were not given.
void set_missing(SearchOptions& options, std::string_view defaults) {
    const std::uint64_t given = options.given;
    for (const std::string_view part : split(defaults)) {
        const std::size_t equals = part.find('=');
        const OptionInfo& option = find_option(part.substr(0, equals));
        if (!((given >> place(option)) & 1)) set_option(options, option, part.substr(equals + 1));
    }
    options.given = given;
}

}  // namespace

std::span<const OptionInfo> option_table() { return kOptions; }

const OptionInfo& find_option(std::string_view name) {
    const auto found = std::find_if(kOptions.begin(), kOptions.end(), [&](const auto& option) { return option.name == name; });
    if (found != kOptions.end()) return *found;
    std::vector<std::string_view> names;
    for (const OptionInfo& option : kOptions) names.push_back(option.name);
    throw std::invalid_argument("option " + quoted(name) + " is unknown; choose one of: " + joined(names));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        std::string_view word = text.substr(0, end);
        while (word.starts_with(' ')) word.remove_prefix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);
        if (!word.empty()) words.push_back(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string_view kind_of(const OptionInfo& option) {
    return std::visit(Overloaded{
                          [](bool O::*) { return "flag"; },
                          [](std::uint64_t O::*) { return "integer"; },
                          [](double O::*) { return "number"; },
                          [](std::string O::*) { return "text"; },
                          [](Weight O::*) { return "text"; },
                          [](std::vector<Tie> O::*) { return "list"; },
                          [](auto O::*) { return "choice"; },
                      },
                      option.member);
}

std::vector<std::string_view> choices_of(const OptionInfo& option) {
    using Names = std::vector<std::string_view>;
    return std::visit(Overloaded{
                          [](std::vector<Tie> O::*) { return Names(kTies.begin(), kTies.end()); },
                          [](Alpha O::*) { return Names(kAlphas.begin(), kAlphas.end()); },
                          [](Preferred O::*) { return Names(kPreferred.begin(), kPreferred.end()); },
                          [](Normalise O::*) { return Names(kNormalise.begin(), kNormalise.end()); },
                          [](const SearchInfo* O::*) { return names_of(Searches::infos); },
                          [](const OrderInfo* O::*) { return names_of(Orders::infos); },
                          [](auto O::*) { return Names(); },
                      },
                      option.member);
}

std::string text_of(const SearchOptions& options, const OptionInfo& option) {
    const auto named = [](const auto* info) { return info == nullptr ? std::string() : std::string(info->name); };
    const auto positive = [&](auto value, std::string text) {
        return static_cast<double>(value) < option.least ? std::string() : text;
    };
    return std::visit(
        Overloaded{
            [&](bool O::*member) { return std::string(options.*member ? "true" : "false"); },
            [&](std::uint64_t O::*member) { return positive(options.*member, std::to_string(options.*member)); },
            [&](double O::*member) { return positive(options.*member, digits(options.*member)); },
            [&](std::string O::*member) { return options.*member; },
            [&](Weight O::*member) {
                return std::to_string((options.*member).numerator) + "/" + std::to_string((options.*member).denominator);
            },
            [&](std::vector<Tie> O::*member) {
                std::string text;
                for (const Tie tie : options.*member)
                    text.append(text.empty() ? "" : ",").append(kTies[static_cast<std::size_t>(tie)]);
                return text;
            },
            [&](Alpha O::*member) { return std::string(kAlphas[static_cast<std::size_t>(options.*member)]); },
            [&](Preferred O::*member) { return std::string(kPreferred[static_cast<std::size_t>(options.*member)]); },
            [&](Normalise O::*member) { return std::string(kNormalise[static_cast<std::size_t>(options.*member)]); },
            [&](const SearchInfo* O::*member) { return named(options.*member); },
            [&](const OrderInfo* O::*member) { return named(options.*member); },
        },
        option.member);
}

void set_option(SearchOptions& options, const OptionInfo& option, std::string_view text) {
    std::visit(Overloaded{
                   [&](bool O::*member) { options.*member = truth(option, text); },
                   [&](std::uint64_t O::*member) { options.*member = number<std::uint64_t>(option, text); },
                   [&](double O::*member) { options.*member = number<double>(option, text); },
                   [&](std::string O::*member) { options.*member = text; },
                   [&](Weight O::*member) { options.*member = weight(text); },
                   [&](std::vector<Tie> O::*member) { options.*member = tie_rule(text); },
                   [&](Alpha O::*member) { options.*member = static_cast<Alpha>(chosen("alpha", text, kAlphas)); },
                   [&](Preferred O::*member) {
                       options.*member = static_cast<Preferred>(chosen("preferred", text, kPreferred));
                   },
                   [&](Normalise O::*member) {
                       options.*member = static_cast<Normalise>(chosen("normalise", text, kNormalise));
                   },
                   [&](const SearchInfo* O::*member) {
                       options.*member = Searches::infos[chosen("search", text, names_of(Searches::infos))];
                   },
                   [&](const OrderInfo* O::*member) {
                       options.*member = Orders::infos[chosen("order", text, names_of(Orders::infos))];
                   },
               },
               option.member);
    options.given |= std::uint64_t{1} << place(option);
}

void set_custom_order(SearchOptions& options) {
    options.order = &CustomOrder::info;
    options.given |= std::uint64_t{1} << place(find_option("order"));
}

bool is_given(const SearchOptions& options, std::string_view name) {
    return ((options.given >> place(find_option(name))) & 1) != 0;
}

bool is_read(const SearchOptions& options, const OptionInfo& option) {
    if (search_reads(*options.search, option)) return true;
    return contains_word(options.search->reads, "order") && options.order != nullptr &&
           contains_word(options.order->reads, option.name);
}

bool can_be_read(const SearchInfo& search, const OptionInfo& option) {
    if (search_reads(search, option)) return true;
    return contains_word(search.reads, "order") &&
           std::any_of(Orders::infos.begin(), Orders::infos.end(),
                       [&](const OrderInfo* order) { return contains_word(order->reads, option.name); });
}

void refuse_unread(const SearchOptions& options) {
    SearchOptions settled = options;  // where no order was given, the default one decides
    set_defaults(settled, false);
    for (const OptionInfo& option : kOptions)
        if (((options.given >> place(option)) & 1) != 0 && !is_read(settled, option))
            throw std::invalid_argument(unread(settled, option));
}

void set_defaults(SearchOptions& options, bool expensive_heuristic) {
    if (options.paper) set_missing(options, options.search->paper);
    if (options.paper) return;
    set_missing(options, options.search->defaults);
    if (expensive_heuristic) set_missing(options, options.search->defaults_if_expensive);
}

}  // namespace fsplan
