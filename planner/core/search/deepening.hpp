// Raises the bound of a search by depth-first passes from the initial state, like those of IDA*. A pass takes about
// 30 ns per node and no memory, so it often proves that no plan exists within a limit on f long before the search has
// expanded all nodes with such an f. The passes visit `deepen` nodes for each expansion of the search.
//
// A pass that has used up its nodes is repeated as soon as it may visit twice as many. So at most half of the work is
// wasted.
#pragma once

#include "search/depth_first.hpp"

namespace fsplan {

// Runs the passes if the option deepen is set; otherwise it does nothing.
class Deepening {
public:
    explicit Deepening(Run& run) : per_expansion_(run.request.deepen), run_(run) {
        passes_ = run.space.depth_first_passes(counts_, false);
        if (!passes_ && per_expansion_ > 0)
            throw std::invalid_argument("deepen needs a task with cheap states (puzzles, explicit graphs)");
        limit_ = passes_ ? passes_->start_h() : 0;
        going_ = per_expansion_ > 0 && limit_ != kInfinite;
    }
    ~Deepening() { run_.space.statistics().deepened = counts_.expanded; }
    Deepening(const Deepening&) = delete;
    Deepening& operator=(const Deepening&) = delete;

    // A lower bound on the cost of every plan; kInfinite if there is no plan.
    Cost bound() {
        while (going_ && available() >= wanted_) deepen();
        return limit_;
    }

private:
    std::uint64_t available() const { return run_.space.statistics().expanded * per_expansion_ - counts_.expanded; }
    void deepen() {
        const std::uint64_t nodes = available();
        const PassEnd end = passes_->pass(limit_, nodes);
        run_.watch.slow_down();
        if (end == PassEnd::finished) limit_ = passes_->next();
        if (end == PassEnd::out_of_nodes) wanted_ = 2 * nodes;
        going_ = end != PassEnd::goal && end != PassEnd::too_deep && limit_ != kInfinite;
    }

    std::uint64_t per_expansion_;
    Run& run_;
    Statistics counts_;
    std::unique_ptr<DepthFirstPasses> passes_;
    std::uint64_t wanted_ = 1;
    Cost limit_;
    bool going_;
};

}  // namespace fsplan
