// The options of a search. The command line and Python fill this object, the search reads it, and the record of a
// result repeats it. Each option is a member here and one entry of the table in option_table.hpp; all code that lists,
// reads, checks or prints options uses that table.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

struct SearchInfo;  // defined in search/info.hpp
struct OrderInfo;

enum class Alpha { all_actions, applicable };
enum class Preferred { policy, ff };
enum class Normalise { none, first, length };
// Criteria for breaking ties between equal keys, applied in turn; `newest` or `oldest` ends the list.
enum class Tie { f, h, newest, oldest };

// w = numerator / denominator, exactly; w >= 1.
struct Weight {
    std::int64_t numerator = 1;
    std::int64_t denominator = 1;
};

// An option whose value is 0 or empty is not set, unless 0 or the empty text is one of its legal values.
struct SearchOptions {
    const SearchInfo* search = nullptr;  // an entry of the list in search/list.hpp
    const OrderInfo* order = nullptr;    // for focal search: an entry of the list in search/order.hpp
    Weight w{3, 2};
    std::string heuristic;    // name of a heuristic of the state space
    std::string policy_name;  // option "policy"; the policy itself is part of the request
    double accuracy = 0;
    bool anytime = false;
    bool paper = false;
    std::uint64_t threads = 1;  // 0: as many as the machine has
    std::uint64_t seed = 0;
    double time_limit = 0;           // seconds
    std::uint64_t memory_limit = 0;  // bytes of the whole process
    std::uint64_t expansion_limit = 0;
    Alpha alpha = Alpha::all_actions;
    bool masked = true;
    std::vector<Tie> ties;
    bool reopen = true;
    bool symmetry = false;
    bool uncertified = false;
    Preferred preferred = Preferred::policy;
    bool alternate = false;
    std::uint64_t lookahead = 0;
    std::uint64_t k_focal = 1;
    bool lazy = false;
    bool fresh = false;
    bool hedge = false;
    std::uint64_t prove = 0;
    std::uint64_t deepen = 0;
    double probability = 0.5;
    std::uint64_t width = 100;
    Normalise normalise = Normalise::first;
    bool sample = false;
    std::uint64_t steps = 0;
    std::uint64_t samples = 1;

    std::uint64_t given = 0;  // bit i: whether the i-th option of the table was set explicitly
};

using OptionMember =
    std::variant<bool SearchOptions::*, std::uint64_t SearchOptions::*, double SearchOptions::*,
                 std::string SearchOptions::*, Weight SearchOptions::*, std::vector<Tie> SearchOptions::*,
                 Alpha SearchOptions::*, Preferred SearchOptions::*, Normalise SearchOptions::*,
                 const SearchInfo * SearchOptions::*, const OrderInfo * SearchOptions::*>;

struct OptionInfo {
    std::string_view name;
    OptionMember member;
    std::string_view summary;
    std::string_view group = "advanced";  // section of the help; the other one is "common"
    double least = 0, most = 0;           // legal range of a number
    bool by_all = false;                  // whether every search reads it

    constexpr OptionInfo common() const { return {name, member, summary, "common", least, most, by_all}; }
    constexpr OptionInfo within(double low, double high) const {
        return {name, member, summary, group, low, high, by_all};
    }
    constexpr OptionInfo read_by_all() const { return {name, member, summary, group, least, most, true}; }
};

inline constexpr double kLargestLimit = 4.6e18;  // about 2^62; greater limits mean no limit

const OptionInfo& find_option(std::string_view name);
// Splits a text at the separator: a space, or in the values of lists a comma.
std::vector<std::string_view> split(std::string_view text, char separator = ' ');
// Type of the option's value: "flag", "integer", "number", "text", "choice" or "list".
std::string_view kind_of(const OptionInfo& option);
// The legal values of a choice, or of each element of a list.
std::vector<std::string_view> choices_of(const OptionInfo& option);

// The value as a text that set_option accepts; empty if the option is not set.
std::string text_of(const SearchOptions& options, const OptionInfo& option);
// Sets the value from a text, such as "true", "12", "3/2" or "h,newest"; throws if it is not legal.
void set_option(SearchOptions& options, const OptionInfo& option, std::string_view text);
// Sets the order to the user's function SearchRequest::custom_order.
void set_custom_order(SearchOptions& options);

bool is_given(const SearchOptions& options, std::string_view name);
// Whether the search and the order read this option.
bool is_read(const SearchOptions& options, const OptionInfo& option);
// Whether the search reads the option, at least in combination with some order.
bool can_be_read(const SearchInfo& search, const OptionInfo& option);
// Throws if an option was given that neither the search nor the order reads.
void refuse_unread(const SearchOptions& options);
// Sets options that were not given to the search's defaults; some of these apply to expensive heuristics only.
void set_defaults(SearchOptions& options, bool expensive_heuristic);

}  // namespace fsplan
