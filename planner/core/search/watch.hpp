// Watches a running search: time, memory, expansions, interruption, progress.
#pragma once

#include <chrono>

#include "base/budget.hpp"
#include "base/memory.hpp"
#include "contract/request.hpp"

namespace fsplan {

class Watch {
public:
    using Clock = std::chrono::steady_clock;

    explicit Watch(const SearchRequest& request)
        : request_(request), started_(Clock::now()), checked_(started_), memory_(request.memory_limit),
          peak_(resident_bytes()) {}

    // Called once per expansion or evaluation. The clock is read about every 10 ms; the number of calls in between
    // adapts to their duration. Reading the memory takes longer, so the first readings omit it unless memory is
    // limited.
    void tick(const Statistics& statistics) {
        if (--countdown_ == 0) check(statistics);
    }
    void before_expansion(const Statistics& statistics) {
        if (request_.expansion_limit != 0 && statistics.expanded >= request_.expansion_limit)
            throw LimitReached{Limit::expansions};
        tick(statistics);
    }
    // Announces that expansions will take longer: the clock is read at the next call, and frequently until the new
    // duration of an expansion is known.
    void slow_down() { period_ = countdown_ = 1; }
    double seconds() const { return seconds_since(started_, Clock::now()); }
    std::size_t peak_bytes() {
        peak_ = std::max(peak_, resident_bytes());
        return peak_;
    }

    // Whether every expansion is reported.
    bool is_observed() const { return static_cast<bool>(request_.on_expansion); }
    // Records the queue that the next node has left, and its key there.
    void note_queue(const char* queue, double key) {
        queue_ = queue;
        key_ = key;
    }
    [[gnu::noinline]] void show(Expansion expansion) {
        expansion.f_min = f_min;
        expansion.lower_bound = lower_bound;
        expansion.incumbent = incumbent;
        expansion.queue = queue_;
        expansion.key = key_;
        request_.on_expansion(expansion);
    }

    // Values for progress reports, updated by the search.
    Cost f_min = 0;
    Cost lower_bound = 0;
    Cost incumbent = kInfinite;

private:
    static double seconds_since(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }

    [[gnu::noinline]] void check(const Statistics& statistics) {
        const auto now = Clock::now();
        const double elapsed = seconds_since(checked_, now);
        const double factor = std::clamp(kInterval / std::max(elapsed, 1e-9), 0.1, 4.0);
        period_ =
            std::clamp<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(period_) * factor), 1, 1 << 20);
        countdown_ = period_;
        checked_ = now;
        const std::size_t bytes = elapsed > kInterval / 4 || request_.memory_limit != 0 ? resident_bytes() : peak_;
        peak_ = std::max(peak_, bytes);
        if (request_.time_limit > 0 && seconds_since(started_, now) >= request_.time_limit)
            throw LimitReached{Limit::time};
        if (request_.memory_limit != 0 && bytes > request_.memory_limit) throw LimitReached{Limit::memory};
        if (request_.on_progress && seconds_since(reported_, now) >= 0.1) report(statistics, now, bytes);
    }
    void report(const Statistics& statistics, Clock::time_point now, std::size_t bytes) {
        reported_ = now;
        const Progress progress{
            statistics.expanded, seconds_since(started_, now), f_min, lower_bound, incumbent, bytes};
        if (!request_.on_progress(progress)) throw LimitReached{Limit::interrupted};
    }

    static constexpr double kInterval = 0.01;
    const SearchRequest& request_;
    Clock::time_point started_;
    Clock::time_point checked_;
    Clock::time_point reported_ = started_;
    std::uint64_t period_ = 1;
    std::uint64_t countdown_ = 1;
    MemoryLimit memory_;
    std::size_t peak_;
    const char* queue_ = nullptr;
    double key_ = 0;
};

}  // namespace fsplan
