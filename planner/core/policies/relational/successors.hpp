// Compares the successors of a state with it and with each other by relaxed plans; each takes an exploration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policies/relational/changes.hpp"
#include "policies/relational/outlook.hpp"

namespace fsplan::relational {

class Successors {
public:
    // The arguments must outlive the object.
    Successors(const GroundTask& task, Outlook& outlook, const Changes& changes);

    // Compares the successors by these edges, in the state that outlook and changes are set to.
    void compare(std::span<const ActionId> actions, std::span<const std::uint32_t> edges);

    // For an edge that was compared: c + h_FF(successor) relative to h_FF(state), in units of c; its difference to the
    // least among the siblings, in the same units and relative to h_FF(state).
    std::uint8_t progress(std::size_t edge) const { return standing_[edge].progress; }
    std::uint8_t gap(std::size_t edge) const { return standing_[edge].gap; }
    std::uint8_t lag(std::size_t edge) const { return standing_[edge].lag; }
    static constexpr std::size_t kProgress = 9, kGaps = 5;

private:
    struct Standing {
        std::uint8_t progress, gap, lag;
    };
    std::int64_t estimate(ActionId action);
    Standing standing(std::int64_t estimate, std::int64_t least, Cost cost) const;

    const GroundTask& task_;
    Outlook& outlook_;
    const Changes& changes_;
    std::vector<Standing> standing_;  // per edge
    std::vector<std::int64_t> estimates_;
    std::vector<FactId> after_;
};

}  // namespace fsplan::relational
