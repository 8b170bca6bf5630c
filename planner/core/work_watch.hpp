// Limits on the work beside a search: grounding, preparing a search, enumerating. Time, memory, and Ctrl-C.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "containers/memory.hpp"

namespace fsplan {

struct LimitReached {
    enum class Kind { time, memory, interrupted };
    Kind kind;
};

// tick() is cheap enough for inner loops; about every 10 ms it looks at the limits and throws LimitReached.
class WorkWatch {
public:
    WorkWatch() = default;
    WorkWatch(double seconds, std::size_t memory_bytes, std::function<bool()> interrupted)
        : memory_bytes_(memory_bytes), interrupted_(std::move(interrupted)) {
        constexpr double forever = 1e9;
        if (seconds > 0 && seconds < forever)
            deadline_ = last_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    void tick() {
        if (--countdown_ == 0) look();
    }
    void look() {
        auto now = Clock::now();
        // The period follows the speed of the caller's ticks.
        auto passed = now - last_;
        if (passed < std::chrono::milliseconds(5)) period_ = std::min(period_ * 2, kLongestPeriod);
        if (passed > std::chrono::milliseconds(20)) period_ = std::max(period_ / 2, 1U);
        last_ = now;
        countdown_ = period_;
        if (now >= deadline_) throw LimitReached{LimitReached::Kind::time};
        if (memory_bytes_ != 0 && resident_bytes() > memory_bytes_) throw LimitReached{LimitReached::Kind::memory};
        if (interrupted_ && interrupted_()) throw LimitReached{LimitReached::Kind::interrupted};
    }

    // For work that limits itself; a very long time if there is no limit.
    double seconds_left() const {
        if (deadline_ == Clock::time_point::max()) return 1e9;
        return std::max(0.0, std::chrono::duration<double>(deadline_ - Clock::now()).count());
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint32_t kFirst = 1024;
    static constexpr std::uint32_t kLongestPeriod = 1U << 20;

    std::uint32_t period_ = kFirst;
    std::uint32_t countdown_ = kFirst;
    Clock::time_point last_ = Clock::now();
    Clock::time_point deadline_ = Clock::time_point::max();
    std::size_t memory_bytes_ = 0;
    std::function<bool()> interrupted_;
};

// For work that nobody limits.
inline WorkWatch& unlimited() {
    thread_local WorkWatch watch;
    return watch;
}

}  // namespace fsplan
