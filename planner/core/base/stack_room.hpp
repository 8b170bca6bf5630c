// Remaining space on the stack of the thread, which recursion must not exceed; threads other than the first may have
// little.
#pragma once

#include "base/system.hpp"

namespace fsplan {

class StackRoom {
public:
    // Determines the limit of the calling thread, once per thread: on Linux the limit of the first thread is read from
    // /proc/self/maps, which takes longer than a short pass of IDA*.
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
