// Optimal traces from many initial states, computed by several threads.
#pragma once

#include "puzzles/database_heuristic.hpp"

namespace fsplan {

// The states of an optimal plan but for the goal; `actions` is the plan, `optimal` the set of optimal actions as bits.
struct Trace {
    std::vector<Word64> states;
    std::vector<std::uint8_t> actions;
    std::vector<std::uint8_t> optimal;
};

// Called with (finished traces, all traces) on the calling thread, at the start and about ten times a second; returns
// false to stop.
using TraceProgress = std::function<bool(std::size_t, std::size_t)>;

// Traces in the order of the initial states, independent of the number of threads; empty if stopped.
std::vector<Trace> optimal_traces(const Board& board, const DatabaseHeuristic& heuristic,
                                  const std::vector<Word64>& starts, unsigned threads, const TraceProgress& progress);

}  // namespace fsplan
