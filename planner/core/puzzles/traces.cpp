#include "puzzles/traces.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "puzzles/tiles.hpp"
#include "search/depth_first.hpp"

namespace fsplan {

namespace {

// The `run` argument of DepthFirst, which interrupts a pass as soon as `stop` is set.
struct Labelling {
    const std::atomic<bool>& stop;

    void tick() const {
        if (stop.load(std::memory_order_relaxed)) throw LimitReached{Limit::interrupted};
    }
    static bool is_out_of_range(std::int64_t) { return false; }
};

// Finds an optimal plan by IDA* and, in each state that it visits, all optimal actions.
class Labeller {
public:
    Labeller(const Board& board, const DatabaseHeuristic& heuristic, const std::atomic<bool>& stop)
        : board_(board), heuristic_(heuristic), run_{stop} {}

    Trace trace_of(Word64 start) {
        const TilesGraph<Word64> graph(board_, start);
        Trace trace;
        Word64 state = start, before = start;
        const std::vector<ActionId> plan = optimal_plan(graph);
        auto distance = static_cast<Cost>(plan.size());
        for (const ActionId action : plan) {
            trace.states.push_back(state);
            trace.actions.push_back(static_cast<std::uint8_t>(action));
            --distance;
            Word64 next = state;
            unsigned optimal = 0;
            graph.successors(state, [&](ActionId other, Cost, Word64 child) {
                if (other == action) next = child;
                if (other == action || (child != before && reaches_goal(graph, child, state, distance)))
                    optimal |= 1U << other;
            });
            trace.optimal.push_back(static_cast<std::uint8_t>(optimal));
            before = state;
            state = next;
        }
        return trace;
    }

private:
    std::vector<ActionId> optimal_plan(const TilesGraph<Word64>& graph) {
        DepthFirst passes(run_, graph, heuristic_, counts_, graph.start());
        Cost limit = passes.start_h();
        while (passes.pass(limit) == PassEnd::finished) limit = passes.next();
        return passes.plan().plan;
    }
    // Whether a path of at most `moves` moves whose first move does not lead back to `before` reaches the goal.
    bool reaches_goal(const TilesGraph<Word64>& graph, Word64 state, Word64 before, Cost moves) {
        DepthFirst passes(run_, graph, heuristic_, counts_, state, before);
        return passes.start_h() <= moves && passes.pass(moves) == PassEnd::goal;
    }

    const Board& board_;
    const DatabaseHeuristic& heuristic_;
    Labelling run_;
    Statistics counts_;
};

// Runs `work` in the threads. Meanwhile calls `look` in this thread, at once and then ten times a second, and sets
// `stop` as soon as it returns false.
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

std::vector<Trace> optimal_traces(const Board& board, const DatabaseHeuristic& heuristic,
                                  const std::vector<Word64>& starts, unsigned threads, const TraceProgress& progress) {
    std::vector<Trace> traces(starts.size());
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> finished{0};
    std::atomic<bool> stop{false};
    const auto work = [&] {
        Labeller labeller(board, heuristic, stop);
        try {
            for (std::size_t index; (index = next++) < starts.size(); ++finished)
                traces[index] = labeller.trace_of(starts[index]);
        } catch (const LimitReached&) {  // `stop` was set; the traces are discarded below
        }
    };
    run_on_threads(threads, work, [&] { return !progress || progress(finished, starts.size()); }, stop);
    if (stop) traces.clear();
    return traces;
}

}  // namespace fsplan
