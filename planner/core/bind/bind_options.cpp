// Bindings of the options of searches and of the tables of options, searches and orders.
#include "bind/parts.hpp"
#include "contract/options.hpp"
#include "search/list.hpp"
#include "search/order.hpp"

namespace fsplan {

namespace {

// The value of the option; None if it is not set.
nb::object value_of(const SearchOptions& options, const OptionInfo& option) {
    const std::string text = text_of(options, option);
    const std::string_view kind = kind_of(option);
    if (text.empty()) return nb::none();
    if (kind == "flag") return nb::bool_(text == "true");
    if (kind == "integer") return nb::int_(nb::str(text.c_str()));
    if (kind == "number") return nb::float_(nb::str(text.c_str()));
    if (kind == "list") return nb::str(text.c_str()).attr("split")(",");
    return nb::str(text.c_str());
}

std::string text_from(nb::handle value) {
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
    if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value))
        return nb::cast<std::string>(nb::str(",").attr("join")(value));
    return nb::cast<std::string>(nb::str(value));
}

// Sets the option; None means its default.
void set_value(SearchOptions& options, const OptionInfo& option, nb::handle value) {
    if (!value.is_none()) set_option(options, option, text_from(value));
}

nb::dict to_dict(const SearchOptions& options) {
    nb::dict out;
    for (const OptionInfo& option : kOptions) out[nb::cast(option.name)] = value_of(options, option);
    return out;
}

nb::dict record(const SearchOptions& options) {
    nb::dict out;
    for (const OptionInfo& option : kOptions)
        out[nb::cast(option.name)] = is_read(options, option) ? value_of(options, option) : nb::none();
    return out;
}

nb::list option_list() {
    nb::list table;
    for (const OptionInfo& option : kOptions) {
        nb::dict entry;
        entry["name"] = option.name;
        entry["kind"] = kind_of(option);
        entry["default"] = value_of(SearchOptions(), option);
        entry["summary"] = option.summary;
        entry["choices"] = choices_of(option);
        entry["group"] = option.group;
        table.append(entry);
    }
    return table;
}

// Converts a text of options, such as "ties=h,newest prove=1", to a dictionary.
nb::dict pairs(std::string_view text) {
    nb::dict out;
    for (const std::string_view part : split(text)) {
        const std::size_t equals = part.find('=');
        SearchOptions options;
        set_option(options, find_option(part.substr(0, equals)), part.substr(equals + 1));
        out[nb::cast(part.substr(0, equals))] = value_of(options, find_option(part.substr(0, equals)));
    }
    return out;
}

template <class IsRead>
nb::list options_read(IsRead is_read) {
    nb::list names;
    for (const OptionInfo& option : kOptions)
        if (is_read(option)) names.append(option.name);
    return names;
}

nb::list search_table() {
    nb::list table;
    for (const SearchInfo* info : kSearches) {
        nb::dict entry;
        entry["name"] = info->name;
        entry["summary"] = info->summary;
        entry["reads"] = options_read([&](const OptionInfo& option) { return can_be_read(*info, option); });
        entry["proves"] = info->proves;
        entry["defaults"] = pairs(info->defaults);
        entry["defaults_if_expensive"] = pairs(info->defaults_if_expensive);
        entry["paper"] = pairs(info->paper);
        table.append(entry);
    }
    return table;
}

nb::list order_table() {
    nb::list table;
    for (const OrderInfo* info : Orders::infos) {
        nb::dict entry;
        entry["name"] = info->name;
        entry["summary"] = info->summary;
        entry["equation"] = info->equation;
        entry["reads"] = options_read([&](const OptionInfo& option) { return info->reads.contains(option); });
        table.append(entry);
    }
    return table;
}

}  // namespace

void bind_options(nb::module_& module) {
    auto options =
        nb::class_<SearchOptions>(module, "SearchOptions")
            .def("__repr__", &fields_text)
            .def("__init__",
                 [](SearchOptions* self, nb::kwargs values) {
                     new (self) SearchOptions();
                     for (const auto& [name, value] : values)
                         set_value(*self, find_option(nb::cast<std::string_view>(name)), value);
                 })
            .def("to_dict", &to_dict, "every option by name; None where it is not set")
            .def("record", &record, "to_dict, with None also for options that the chosen search and order do not read")
            .def("is_given", &is_given, nb::arg("name"), "whether it was set, and is not left to its default")
            .def(
                "reads",
                [](const SearchOptions& self, std::string_view name) { return is_read(self, find_option(name)); },
                nb::arg("name"), "whether the chosen search and order read this option")
            .def("refuse_unread", &refuse_unread,
                 "ValueError if an option was set that the search or order does not read")
            .def("set_custom_order", &set_custom_order, "the order is a function, given to the search itself")
            .def(
                "draws", [](const SearchOptions& self) { return self.search->draws(self); },
                "whether the search reads the seed itself, whatever its policy reads")
            .def(
                "needs_profile",
                [](const SearchOptions& self) {
                    return is_read(self, find_option("order")) && self.order != nullptr && self.order->needs_profile;
                },
                "whether the order reads the policy's accuracy by distance")
            .def(
                "proves", [](const SearchOptions& self) { return self.search->proves; }, "what the search promises")
            .def("needs_policy", [](const SearchOptions& self) { return self.search->needs_policy(self); })
            .def("set_defaults", &set_defaults, nb::arg("expensive_heuristic"),
                 "what was not set, as the search has it");
    for (const OptionInfo& option : kOptions) {
        const OptionInfo* info = &option;
        options.def_prop_rw(
            std::string(option.name).c_str(), [info](const SearchOptions& self) { return value_of(self, *info); },
            [info](SearchOptions& self, nb::object value) { set_value(self, *info, value); },
            nb::for_setter(nb::arg("value").none()));
    }
    module.def("option_table", &option_list, "what each option is");
    module.def("search_table", &search_table, "what each search is, reads and proves");
    module.def("order_table", &order_table, "what each order of FOCAL is and reads");
}

}  // namespace fsplan
