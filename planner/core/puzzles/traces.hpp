// Optimal traces from many initial states, computed by several threads.
#pragma once

#include "puzzles/database_heuristic.hpp"

namespace fsplan {

// An optimal plan `actions`, the states in which its actions are applied, and all optimal actions of each state as bits.
struct Trace {
    std::vector<Word64> states;
    std::vector<std::uint8_t> actions;
    std::vector<std::uint8_t> optimal;
};

// Called with the numbers of finished and of all traces in the calling thread, at the start and about ten times a
// second; returns false to stop.
using TraceProgress = std::function<bool(std::size_t, std::size_t)>;

// Returns a trace per initial state, in the same order for any number of threads; no traces if stopped.
std::vector<Trace> optimal_traces(const Board& board, const DatabaseHeuristic& heuristic,
                                  const std::vector<Word64>& starts, unsigned threads, const TraceProgress& progress);

}  // namespace fsplan
