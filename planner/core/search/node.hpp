// A search node: g, h, the parent and the status of one state, in 12 bytes.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

// unreached: registered, but no path to it has been accepted yet. dead: the heuristic has shown it to be a dead end.
enum class NodeStatus : std::uint8_t { unreached, open, closed, dead };

// The action from the parent is not stored; plan extraction finds it again. Numbers and flags are packed into words by
// hand, so that a node is built in registers and written at once, which bit-fields prevent.
class Node {
public:
    explicit Node(Cost h, bool awaits_evaluation = false)
        : h_(stored(h) | flag(NodeStatus::unreached)), parent_(kNoParent | (awaits_evaluation ? kAwaits : 0)) {}

    Cost g = kInfinite;

    Cost h() const { return (h_ & kNoH) == kNoH ? kDeadEnd : static_cast<Cost>(h_ & kNoH); }
    void set_h(Cost h) { h_ = (h_ & ~kNoH) | stored(h); }
    NodeStatus status() const { return static_cast<NodeStatus>(h_ >> kStatusBit); }
    void become(NodeStatus status) { h_ = (h_ & kNoH) | flag(status); }
    void forget_path() {
        g = kInfinite;
        become(NodeStatus::unreached);
    }
    bool is_open() const { return status() == NodeStatus::open; }
    // f = g + h, saturated: kInfinite for unreached states and dead ends.
    Cost f() const { return static_cast<Cost>(std::min(std::int64_t{g} + h(), std::int64_t{kInfinite})); }
    bool has_parent() const { return parent() != kNoParent; }
    StateId parent() const { return parent_ & kNoParent; }
    void set_parent(StateId parent) { parent_ = (parent_ & kAwaits) | parent; }
    // Whether h is only inherited from the parent or cheaply evaluated, and the heuristic is yet to be computed.
    bool awaits_evaluation() const { return (parent_ & kAwaits) != 0; }
    void set_evaluated() { parent_ &= kNoParent; }

private:
    static constexpr int kStatusBit = 30;
    static constexpr std::uint32_t kNoH = (std::uint32_t{1} << kStatusBit) - 1;
    static constexpr StateId kAwaits = StateId{1} << 31;
    static constexpr StateId kNoParent = kAwaits - 1;

    static std::uint32_t flag(NodeStatus status) { return static_cast<std::uint32_t>(status) << kStatusBit; }
    static std::uint32_t stored(Cost h) {
        // An h that does not fit is stored as the greatest value that does, which is still a lower bound.
        return h == kDeadEnd ? kNoH : std::min(static_cast<std::uint32_t>(h), kNoH - 1);
    }

    std::uint32_t h_;
    StateId parent_;
};
static_assert(sizeof(Node) == 12);

}  // namespace fsplan
