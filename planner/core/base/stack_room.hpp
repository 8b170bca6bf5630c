// Checks the remaining space on the thread's stack, which limits recursion; threads other than the first may have little.
#pragma once

#include "base/system.hpp"

namespace fsplan {

class StackRoom {
public:
    // Determines the lowest usable address of the calling thread's stack. It is cached per thread, because on Linux it
    // is read from /proc/self/maps for the first thread, which takes longer than a short pass of IDA*.
    void look() {
        thread_local const std::uintptr_t lowest = lowest_stack_address() + kReserve;
        lowest_ = lowest;
    }
    bool has_room() const { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) > lowest_; }

private:
    static constexpr std::uintptr_t kReserve = 128 * 1024;  // reserve for functions called at the deepest level
    std::uintptr_t lowest_ = 0;
};

}  // namespace fsplan
