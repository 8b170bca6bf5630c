#include "bind/python_graph.hpp"

#include "search/dispatch.hpp"
#include "search/list.hpp"
#include "search/order.hpp"

namespace fsplan {

SearchResult PythonStateSpace::search(const SearchRequest& request) {
    const nb::gil_scoped_acquire gil;
    const bool ordered = request.search == &focal_search || request.search == &pfs_search;
    const bool counts_all = ordered && (request.order == &Disc1::info || request.order == &Disc1Profile::info) &&
                            request.alpha == Alpha::all_actions;
    if (counts_all && !graph_.declares_actions())
        throw nb::value_error("disc1 counts all actions: give the task an `actions` list, or alpha='applicable'");
    if (!request.masked && !graph_.declares_actions())
        throw nb::value_error("unmasked, the policy decides among all actions: give the task an `actions` list");
    return run_search(graph_, heuristic_, request);
}

}  // namespace fsplan
