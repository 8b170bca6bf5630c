// How successors of a state compare with it and with each other, by relaxed plans: an exploration each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policies/relational/changes.hpp"
#include "policies/relational/outlook.hpp"

namespace fsplan::relational {

class Successors {
public:
    // All must outlive it.
    Successors(const GroundTask& task, Outlook& outlook, const Changes& changes);

    // Compares the successors by these edges, in the state that outlook and changes are set to.
    void compare(std::span<const ActionId> actions, std::span<const std::uint32_t> edges);

    // Of an edge that was compared: how c + h_FF of the successor compares with h_FF of the state, in units of c; how far it
    // is above the least among the siblings, in the same units and as a part of h_FF of the state.
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
