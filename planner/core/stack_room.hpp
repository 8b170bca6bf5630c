// How much of the thread's stack is left: a thread other than the first may have little, and recursion must end before it.
#pragma once

#include <cstdint>

#include "system.hpp"

namespace fsplan {

class StackRoom {
public:
    // In the thread that will ask. The system is asked once per thread: on Linux the answer for the first thread is read from
    // /proc/self/maps, which takes longer than a short pass of IDA*.
    void look() {
        thread_local const std::uintptr_t lowest = lowest_stack_address() + kReserve;
        lowest_ = lowest;
    }
    bool has_room() const {
        return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) > lowest_;
    }

private:
    static constexpr std::uintptr_t kReserve = 128 * 1024;  // for what is called from the depths
    std::uintptr_t lowest_ = 0;
};

}  // namespace fsplan
