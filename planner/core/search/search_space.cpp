#include "search/search_space.hpp"

namespace fsplan {

Cost SearchSpace::least_open_f() const {
    Cost least = expanding_ == kNoState ? kInfinite : nodes_[expanding_].f();
    for (const Node& node : nodes_)
        if (node.is_open()) least = std::min(least, node.f());
    return least;
}

StateId SearchSpace::restart() {
    for (Node& node : nodes_)
        if (node.status() != NodeStatus::dead) node.forget_path();
    nodes_[0].g = 0;
    nodes_[0].become(NodeStatus::open);
    return 0;
}

Incumbent SearchSpace::plan(StateId id) {
    Incumbent found{{}, 0, 0};
    for (; nodes_[id].has_parent(); id = nodes_[id].parent()) {
        const Edge edge = tree_edge(nodes_[id].parent(), id);
        found.plan.push_back(edge.action);
        found.cost += edge.cost;
    }
    std::ranges::reverse(found.plan);
    return found;
}

void SearchSpace::show_expansion(StateId id) {
    const Node& node = nodes_[id];
    Expansion expansion{};
    expansion.number = statistics_.expanded;
    expansion.state = id;
    expansion.parent = node.has_parent() ? node.parent() : kNoState;
    expansion.action = node.has_parent() ? tree_edge(node.parent(), id).action : kNoAction;
    expansion.g = node.g;
    expansion.h = node.h();
    expansion.values.resize(width());
    values(id, expansion.values);
    watch_.show(std::move(expansion));
}

}  // namespace fsplan
