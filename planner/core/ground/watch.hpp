// Limits on the work before a search: time, memory, and Ctrl-C.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace fsplan {

struct LimitReached {
    enum class Kind { time, memory, interrupted };
    Kind kind;
};

// tick() is cheap enough for inner loops; about every 10 ms it looks at the limits and throws LimitReached.
class GroundingWatch {
public:
    GroundingWatch() = default;
    GroundingWatch(double seconds, std::size_t memory_bytes, std::function<bool()> interrupted);

    void tick() {
        if (--countdown_ == 0) look();
    }
    void look();

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint32_t kFirst = 1024;

    std::uint32_t period_ = kFirst;
    std::uint32_t countdown_ = kFirst;
    Clock::time_point last_ = Clock::now();
    Clock::time_point deadline_ = Clock::time_point::max();
    std::size_t memory_bytes_ = 0;
    std::function<bool()> interrupted_;
};

}  // namespace fsplan
