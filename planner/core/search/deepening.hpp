// Raises the bound of a search from outside: depth-first passes from the start, which take some 30 ns per node and no
// memory, prove that there is no plan within a limit on f, while the search is still far from expanding every node with so
// small an f. They visit `deepen` nodes for each expansion of the search.
//
// A pass that runs out of nodes is begun anew once it can have twice as many, so what is lost is at most what is used.
#pragma once

#include "search/depth_first.hpp"

namespace fsplan {

// For state spaces without cheap states: no passes.
template <class R>
class Deepening {
public:
    explicit Deepening(R& run) {
        if (run.request.deepen > 0)
            throw std::invalid_argument("deepen needs a task with cheap states (puzzles, explicit graphs)");
    }
    Cost bound() { return 0; }
};

template <class R>
    requires CheapStates<GraphOf<R>>
class Deepening<R> {
public:
    explicit Deepening(R& run)
        : per_expansion_(run.request.deepen), run_(run),
          passes_(run, run.space.graph(), run.evaluator.heuristic(), counts_, run.space.graph().start()) {
        limit_ = passes_.start_h();
        going_ = per_expansion_ > 0 && limit_ != kDeadEnd;
    }
    ~Deepening() { run_.space.statistics().deepened = counts_.expanded; }
    Deepening(const Deepening&) = delete;
    Deepening& operator=(const Deepening&) = delete;

    // A lower bound on the cost of every plan; kDeadEnd: there is none.
    Cost bound() {
        while (going_ && available() >= wanted_) deepen();
        return limit_;
    }

private:
    std::uint64_t available() const {
        return run_.space.statistics().expanded * per_expansion_ - counts_.expanded;
    }
    void deepen() {
        const std::uint64_t nodes = available();
        const PassEnd end = passes_.pass(limit_, nodes);
        run_.watch.slow_down();
        if (end == PassEnd::finished) limit_ = passes_.next();
        if (end == PassEnd::out_of_nodes) wanted_ = 2 * nodes;
        going_ = end != PassEnd::goal && end != PassEnd::too_deep && limit_ != kDeadEnd;
    }

    std::uint64_t per_expansion_;
    R& run_;
    Statistics counts_;
    DepthFirst<R, GraphOf<R>, HeuristicOf<R>> passes_;
    std::uint64_t wanted_ = 1;
    Cost limit_;
    bool going_;
};

}  // namespace fsplan
