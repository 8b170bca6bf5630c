// The edges out of the node that is being expanded.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

struct Edge {
    ActionId action;
    Cost cost;
    StateId child;
};

// The arrays have capacity for more than size() edges. Edges may be listed by their labels alone, without children.
class EdgeList {
public:
    std::vector<ActionId> actions;
    std::vector<Cost> costs;
    std::vector<StateId> children;

    std::size_t size() const { return size_; }
    Edge operator[](std::size_t i) const { return {actions[i], costs[i], children[i]}; }
    // Indices of the improving edges: those by which the child is reached at a lower cost than before.
    std::span<const std::uint32_t> improving() const { return {improving_.data(), improving_count_}; }
    void clear() { size_ = improving_count_ = 0; }
    void add(ActionId action, Cost cost) { add({action, cost, kNoState}, false); }
    void add(const Edge& edge, bool improves) {
        if (size_ == actions.size()) make_room();
        actions[size_] = edge.action;
        costs[size_] = edge.cost;
        children[size_] = edge.child;
        improving_[improving_count_] = static_cast<std::uint32_t>(size_++);
        improving_count_ += improves ? 1 : 0;
    }

private:
    [[gnu::noinline]] void make_room() {
        const std::size_t room = 2 * size_ + 16;
        actions.resize(room);
        costs.resize(room);
        children.resize(room);
        improving_.resize(room);
    }

    std::size_t size_ = 0;
    std::vector<std::uint32_t> improving_;
    std::size_t improving_count_ = 0;
};

}  // namespace fsplan
