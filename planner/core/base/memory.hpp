// The memory limit that a search sets in its thread while it runs. It limits the memory of the whole process.
#pragma once

#include "base/system.hpp"

namespace fsplan {

inline thread_local std::size_t memory_limit_bytes = 0;  // 0: no limit

// Called before a large block is allocated: throws if the block would exceed the limit, because otherwise the system
// might kill the process later.
inline void require_memory(std::size_t bytes) {
    constexpr std::size_t kLarge = std::size_t{1} << 24;
    if (memory_limit_bytes != 0 && bytes >= kLarge && resident_bytes() + bytes > memory_limit_bytes)
        throw std::bad_alloc();
}

class MemoryLimit {
public:
    explicit MemoryLimit(std::size_t bytes) : before_(memory_limit_bytes) { memory_limit_bytes = bytes; }
    ~MemoryLimit() { memory_limit_bytes = before_; }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::size_t before_;
};

}  // namespace fsplan
