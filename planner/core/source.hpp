// A task source as Python holds it: run a search, walk a plan, list its actions. Each source implements search() by
// instantiating the templates of search/ once for its graph, so a further native domain is one file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "request.hpp"

namespace fsplan {

class Source {
public:
    virtual ~Source() = default;
    virtual SearchResult search(const SearchRequest& request) = 0;
    virtual std::size_t action_count() const = 0;
    virtual std::string action_name(ActionId action) const = 0;
    virtual std::size_t width() const = 0;
    virtual std::vector<std::int32_t> domain_sizes() const = 0;   // of the integers in values()
    virtual std::vector<std::int32_t> start_values() = 0;
    virtual std::size_t bytes_per_state() const = 0;
    virtual std::vector<std::string> heuristics() const = 0;      // names search() accepts, default first
};

}  // namespace fsplan
