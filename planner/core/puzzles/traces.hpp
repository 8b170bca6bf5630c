// Optimal traces of many starts, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "puzzles/database_heuristic.hpp"

namespace fsplan {

// The states of an optimal plan but for the goal; `actions` is the plan, `optimal` the set of optimal actions as bits.
struct Trace {
    std::vector<Word64> states;
    std::vector<std::uint8_t> actions;
    std::vector<std::uint8_t> optimal;
};

// (traces finished, traces in all), called on the calling thread, at once and about ten times a second; false stops.
using TraceProgress = std::function<bool(std::size_t, std::size_t)>;

// In the order of the starts, whatever the threads; empty when stopped.
std::vector<Trace> optimal_traces(const Board& board, const DatabaseHeuristic& heuristic, const std::vector<Word64>& starts,
                                  unsigned threads, const TraceProgress& progress);

}  // namespace fsplan
