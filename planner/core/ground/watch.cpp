#include "ground/watch.hpp"

#include <algorithm>
#include <utility>

#include "memory.hpp"

namespace fsplan {

namespace {

constexpr std::uint32_t kLongestPeriod = 1u << 20;

}  // namespace

GroundingWatch::GroundingWatch(double seconds, std::size_t memory_bytes, std::function<bool()> interrupted)
    : memory_bytes_(memory_bytes), interrupted_(std::move(interrupted)) {
    constexpr double forever = 1e9;
    if (seconds > 0 && seconds < forever)
        deadline_ = last_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void GroundingWatch::look() {
    auto now = Clock::now();
    // The period follows the speed of the caller's ticks.
    auto passed = now - last_;
    if (passed < std::chrono::milliseconds(5)) period_ = std::min(period_ * 2, kLongestPeriod);
    if (passed > std::chrono::milliseconds(20)) period_ = std::max(period_ / 2, 1u);
    last_ = now;
    countdown_ = period_;
    if (now >= deadline_) throw LimitReached{LimitReached::Kind::time};
    if (memory_bytes_ && resident_bytes() > memory_bytes_) throw LimitReached{LimitReached::Kind::memory};
    if (interrupted_ && interrupted_()) throw LimitReached{LimitReached::Kind::interrupted};
}

}  // namespace fsplan
