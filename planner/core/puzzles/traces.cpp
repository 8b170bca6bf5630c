#include "puzzles/traces.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace fsplan {

namespace {

Word64 moved(const Board& board, Word64 state, ActionId action) {
    const unsigned blank = first_zero(state);
    const unsigned from = board.neighbour(blank, action);
    const unsigned tile = cell(state, from);
    return state ^ placed<Word64>(tile, from) ^ placed<Word64>(tile, blank);
}

Trace trace_of(const Board& board, DatabaseSolver& solver, Word64 state) {
    Trace trace;
    const auto plan = solver.solve(state);
    if (!plan) return trace;
    ActionId undo = kDirections;
    auto distance = static_cast<Cost>(plan->size());
    for (const ActionId action : *plan) {
        trace.states.push_back(state);
        trace.actions.push_back(static_cast<std::uint8_t>(action));
        trace.optimal.push_back(static_cast<std::uint8_t>(solver.optimal_actions(state, distance--, action, undo)));
        state = moved(board, state, action);
        undo = opposite(action);
    }
    return trace;
}

// Calls `look` on this thread at once and ten times a second until every thread has finished; sets `stop` once it answers false.
template <class Work, class Look>
void run_on_threads(unsigned threads, const Work& work, const Look& look, std::atomic<bool>& stop) {
    std::mutex mutex;
    std::condition_variable ended;
    unsigned running = std::max(threads, 1U);
    std::vector<std::jthread> workers;
    for (unsigned i = running; i > 0; --i) {
        workers.emplace_back([&] {
            work();
            const std::lock_guard lock(mutex);
            --running;
            ended.notify_one();
        });
    }
    std::unique_lock lock(mutex, std::defer_lock);
    do {
        if (lock.owns_lock()) lock.unlock();
        if (!look()) stop = true;
        lock.lock();
    } while (!ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; }));
}

}  // namespace

std::vector<Trace> optimal_traces(const Board& board, const DatabaseSolver& prototype, const std::vector<Word64>& starts,
                                  unsigned threads, const TraceProgress& progress) {
    std::vector<Trace> traces(starts.size());
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> finished{0};
    std::atomic<bool> stop{false};
    const auto work = [&] {
        DatabaseSolver solver(prototype);
        solver.observe([&](const DatabaseSolver&) { return !stop.load(std::memory_order_relaxed); });
        for (std::size_t index; !stop && (index = next++) < starts.size(); ++finished)
            traces[index] = trace_of(board, solver, starts[index]);
    };
    run_on_threads(threads, work, [&] { return !progress || progress(finished, starts.size()); }, stop);
    if (stop) traces.clear();
    return traces;
}

}  // namespace fsplan
