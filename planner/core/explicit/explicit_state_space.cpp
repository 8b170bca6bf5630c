#include "explicit/explicit_graph.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

ExplicitStateSpace::ExplicitStateSpace(ExplicitGraph graph, HeuristicTable heuristic)
    : graph_(std::move(graph)), heuristic_(std::move(heuristic)) {}

SearchResult ExplicitStateSpace::search(const SearchRequest& request) {
    return run_search(graph_, heuristic_, request);
}

}  // namespace fsplan
