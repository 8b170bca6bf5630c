// Looks up names in lists of choices; the error message for an unknown name lists the choices.
#pragma once

#include "base/std.hpp"

namespace fsplan {

inline std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

template <class Names>
std::string joined(const Names& names) {
    std::string text;
    for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

// Index of the name in the list; throws if the name is not in the list.
template <class Names>
std::size_t chosen(std::string_view what, std::string_view name, const Names& names) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        throw std::invalid_argument(std::string(what) + " " + quoted(name) +
                                    " is unknown; choose one of: " + joined(names));
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace fsplan
