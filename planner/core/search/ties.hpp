// Tie-breaking among equal keys: by f and h in the given order, then newest or oldest first.
#pragma once

#include "containers/queues.hpp"
#include "search/search_space.hpp"

namespace fsplan {

class TieRule {
public:
    explicit TieRule(const std::vector<Tie>& ties) {
        for (const Tie tie : ties) add(tie);
    }
    bool newest() const { return newest_; }
    bool uses_second() const { return second_ != Part::none; }
    Priority priority(std::int64_t key, const Node& node) const {
        return {key, value(first_, node), value(second_, node)};
    }

private:
    enum class Part { none, f, h };

    void add(Tie tie) {
        if (tie == Tie::newest || tie == Tie::oldest) {
            newest_ = tie == Tie::newest;
        } else {
            (first_ == Part::none ? first_ : second_) = tie == Tie::f ? Part::f : Part::h;
        }
    }
    static Cost value(Part part, const Node& node) {
        if (part == Part::h) return node.h();
        return part == Part::f ? node.f() : 0;
    }

    Part first_ = Part::none;
    Part second_ = Part::none;
    bool newest_ = true;
};

}  // namespace fsplan
