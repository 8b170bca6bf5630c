// Tests that a Budget detects the end of its time within kPeriod ticks, however fast earlier ticks were.
#include <chrono>
#include <thread>

#include "base/budget.hpp"
#include "require.hpp"

using namespace fsplan;

namespace {

std::uint32_t ticks_until_limit(Budget& watch, Limit expected) {
    for (std::uint32_t ticks = 1;; ++ticks) {
        try {
            watch.tick();
        } catch (const LimitReached& limit) {
            require(limit.limit == expected, "the limit that was set");
            return ticks;
        }
    }
}

void notices_the_end_after_fast_ticks() {
    constexpr double seconds = 0.05;
    Budget watch(seconds, 0, {});
    try {
        for (int i = 0; i < 1'000'000; ++i) watch.tick();
        std::this_thread::sleep_for(std::chrono::duration<double>(2 * seconds));
        require(ticks_until_limit(watch, Limit::time) <= Budget::kPeriod, "no more ticks than a period");
    } catch (const LimitReached&) {
        // On a slow machine the first ticks can take the whole time; detecting that is correct, too.
    }
}

void looks_at_memory_and_interruptions() {
    Budget memory(0, 1, {}), interrupted(0, 0, [] { return true; });
    require(ticks_until_limit(memory, Limit::memory) <= Budget::kPeriod, "memory");
    require(ticks_until_limit(interrupted, Limit::interrupted) <= Budget::kPeriod, "interruption");
}

}  // namespace

int main() {
    notices_the_end_after_fast_ticks();
    looks_at_memory_and_interruptions();
}
