// Limits on time and memory, and Ctrl-C, for work other than the search itself, such as grounding and enumerating states.
#pragma once

#include <chrono>

#include "base/memory.hpp"

namespace fsplan {

enum class Limit { time, memory, expansions, interrupted };

// Thrown when a limit is reached: by Budget, and by the Watch of a search, which then reports its plan and bound.
struct LimitReached {
    Limit limit;
};

// tick() is cheap enough for inner loops. Every kPeriod ticks it reads the clock, and about every 10 ms it checks the
// other limits; if one is reached, it throws LimitReached. The period does not adapt to the speed of the ticks, because
// they may take nanoseconds at first and microseconds later.
class Budget {
public:
    static constexpr std::uint32_t kPeriod = 256;

    Budget() = default;
    Budget(double seconds, std::size_t memory_bytes, std::function<bool()> interrupted)
        : memory_bytes_(memory_bytes), interrupted_(std::move(interrupted)) {
        constexpr double forever = 1e9;
        if (seconds > 0 && seconds < forever)
            deadline_ =
                Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    void tick() {
        if (--countdown_ != 0) return;
        countdown_ = kPeriod;
        const auto now = Clock::now();
        if (now >= deadline_ || now - last_ > std::chrono::milliseconds(10)) look();
    }
    void look() {
        last_ = Clock::now();
        if (last_ >= deadline_) throw LimitReached{Limit::time};
        if (memory_bytes_ != 0 && resident_bytes() > memory_bytes_) throw LimitReached{Limit::memory};
        if (interrupted_ && interrupted_()) throw LimitReached{Limit::interrupted};
    }

    // Remaining seconds, to be passed on as a time limit; very large if there is no limit.
    double seconds_left() const {
        if (deadline_ == Clock::time_point::max()) return 1e9;
        return std::max(0.0, std::chrono::duration<double>(deadline_ - Clock::now()).count());
    }

private:
    using Clock = std::chrono::steady_clock;

    std::uint32_t countdown_ = kPeriod;
    Clock::time_point last_{};  // time of the last check of all limits
    Clock::time_point deadline_ = Clock::time_point::max();
    std::size_t memory_bytes_ = 0;
    std::function<bool()> interrupted_;
};

// A Budget without limits.
inline Budget& unlimited() {
    thread_local Budget watch;
    return watch;
}

}  // namespace fsplan
