#include "contract/options.hpp"

#include <charconv>

#include "base/names.hpp"
#include "search/list.hpp"
#include "search/order.hpp"

namespace fsplan {

namespace {

using O = SearchOptions;

// The names of the values of each enumeration, in its order.
constexpr std::array<std::string_view, 4> kTies{"f", "h", "newest", "oldest"};
template <class Choice>
constexpr std::array<std::string_view, 0> kChoices{};
template <>
constexpr std::array<std::string_view, 2> kChoices<Alpha>{"all", "applicable"};
template <>
constexpr std::array<std::string_view, 2> kChoices<Preferred>{"policy", "ff"};
template <>
constexpr std::array<std::string_view, 3> kChoices<Normalise>{"none", "first", "length"};

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
    if (option.most < kLargestLimit) legal += (option.least > 0 ? " and at most " : " to ") + digits(option.most);
    const std::string name(option.name);
    throw std::invalid_argument(name + (option.least > 0 ? " must be " : " is ") + legal + ", not " +
                                std::string(text));
}

template <class Number>
Number number(const OptionInfo& option, std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = end == text.data() + text.size();
    const auto as_real = error == std::errc::result_out_of_range ? HUGE_VAL : static_cast<double>(value);
    if (whole && as_real > kLargestLimit && option.most == kLargestLimit) return static_cast<Number>(kLargestLimit);
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
        if ((ends && i + 1 < ties.size()) || std::ranges::count(ties, ties[i]) > 1)
            throw std::invalid_argument("ties are f and h in any order, then newest or oldest, not " +
                                        std::string(text));
    }
    if (ties.empty() || (ties.back() != Tie::newest && ties.back() != Tie::oldest)) ties.push_back(Tie::newest);
    return ties;
}

bool search_reads(const SearchInfo& search, const OptionInfo& option) {
    const bool with_policy = option.name == "seed" && search.reads.contains("policy");
    return option.by_all || with_policy || search.reads.contains(option);
}

template <class Infos, class Reads>
std::string readers(const Infos& infos, Reads reads) {
    std::vector<std::string_view> names;
    for (const auto* info : infos)
        if (reads(*info)) names.push_back(info->name);
    return joined(names);
}

std::string unread(const SearchOptions& options, const OptionInfo& option) {
    const auto by_order = [&](const OrderInfo& order) { return order.reads.contains(option); };
    const auto by_search = [&](const SearchInfo& search) { return search_reads(search, option); };
    const std::string orders = readers(Orders::infos, by_order);
    const bool focal = options.search->reads.contains("order");
    std::string chosen(options.search->name);
    if (!orders.empty() && focal && options.order != nullptr)
        chosen += " with " +
                  (options.order->name.empty() ? "a function as order" : "order " + std::string(options.order->name));
    const std::string legal = orders.empty() ? readers(kSearches, by_search) : "focal with order " + orders;
    const bool optimal = option.name == "w" && options.search->proves == "optimal";
    return chosen + " does not read " + std::string(option.name) + "; it is read by: " + legal +
           "; choose one of these or leave it out" + (optimal ? ", as its plans are optimal" : "");
}

// Sets options that were not given, from a text such as "ties=h,newest prove=1".
void set_missing(SearchOptions& options, std::string_view defaults) {
    const std::uint64_t given = options.given;
    for (const std::string_view part : split(defaults)) {
        const std::size_t equals = part.find('=');
        const OptionInfo& option = find_option(part.substr(0, equals));
        if ((given & bit_of(option)) == 0) set_option(options, option, part.substr(equals + 1));
    }
    options.given = given;
}

}  // namespace

const OptionInfo& find_option(std::string_view name) {
    const auto found = std::ranges::find(kOptions, name, &OptionInfo::name);
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
    return std::visit(
        Overloaded{
            [](std::vector<Tie> O::*) { return Names(kTies.begin(), kTies.end()); },
            [](const SearchInfo* O::*) { return names_of(kSearches); },
            [](const OrderInfo* O::*) { return names_of(Orders::infos); },
            []<class Choice>(Choice O::*) { return Names(kChoices<Choice>.begin(), kChoices<Choice>.end()); },
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
            [&](bool O::* member) { return std::string(options.*member ? "true" : "false"); },
            [&](std::uint64_t O::* member) { return positive(options.*member, std::to_string(options.*member)); },
            [&](double O::* member) { return positive(options.*member, digits(options.*member)); },
            [&](std::string O::* member) { return options.*member; },
            [&](Weight O::* member) {
                return std::to_string((options.*member).numerator) + "/" +
                       std::to_string((options.*member).denominator);
            },
            [&](std::vector<Tie> O::* member) {
                std::string text;
                for (const Tie tie : options.*member)
                    text.append(text.empty() ? "" : ",").append(kTies[static_cast<std::size_t>(tie)]);
                return text;
            },
            [&]<class Choice>(Choice O::* member) {
                return std::string(kChoices<Choice>[static_cast<std::size_t>(options.*member)]);
            },
            [&](const SearchInfo* O::* member) { return named(options.*member); },
            [&](const OrderInfo* O::* member) { return named(options.*member); },
        },
        option.member);
}

void set_option(SearchOptions& options, const OptionInfo& option, std::string_view text) {
    std::visit(Overloaded{
                   [&](bool O::* member) { options.*member = truth(option, text); },
                   [&](std::uint64_t O::* member) { options.*member = number<std::uint64_t>(option, text); },
                   [&](double O::* member) { options.*member = number<double>(option, text); },
                   [&](std::string O::* member) { options.*member = text; },
                   [&](Weight O::* member) { options.*member = weight(text); },
                   [&](std::vector<Tie> O::* member) { options.*member = tie_rule(text); },
                   [&]<class Choice>(Choice O::* member) {
                       options.*member = static_cast<Choice>(chosen(option.name, text, kChoices<Choice>));
                   },
                   [&](const SearchInfo* O::* member) {
                       options.*member = kSearches[chosen("search", text, names_of(kSearches))];
                   },
                   [&](const OrderInfo* O::* member) {
                       options.*member = Orders::infos[chosen("order", text, names_of(Orders::infos))];
                   },
               },
               option.member);
    options.given |= bit_of(option);
}

void set_custom_order(SearchOptions& options) {
    options.order = &CustomOrder::info;
    options.given |= bit_of(find_option("order"));
}

bool is_given(const SearchOptions& options, std::string_view name) {
    return (options.given & bit_of(find_option(name))) != 0;
}

bool is_read(const SearchOptions& options, const OptionInfo& option) {
    if (search_reads(*options.search, option)) return true;
    return options.search->reads.contains("order") && options.order != nullptr && options.order->reads.contains(option);
}

bool can_be_read(const SearchInfo& search, const OptionInfo& option) {
    if (search_reads(search, option)) return true;
    return search.reads.contains("order") &&
           std::any_of(Orders::infos.begin(), Orders::infos.end(),
                       [&](const OrderInfo* order) { return order->reads.contains(option); });
}

void refuse_unread(const SearchOptions& options) {
    SearchOptions settled = options;  // defaults are set, because the order decides which options are read
    set_defaults(settled, false);
    for (const OptionInfo& option : kOptions)
        if ((options.given & bit_of(option)) != 0 && !is_read(settled, option))
            throw std::invalid_argument(unread(settled, option));
}

void set_defaults(SearchOptions& options, bool expensive_heuristic) {
    if (options.paper) set_missing(options, options.search->paper);
    if (options.paper) return;
    set_missing(options, options.search->defaults);
    if (expensive_heuristic) set_missing(options, options.search->defaults_if_expensive);
}

}  // namespace fsplan
