// The memory of the process, and the limit that a search sets for as long as it runs in this thread.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace fsplan {

// Resident memory of the process; 0 where /proc is missing.
inline std::size_t resident_bytes() {
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    char* pages = text;  // total, then resident
    std::strtoull(text, &pages, 10);
    return std::strtoull(pages, nullptr, 10) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

inline thread_local std::size_t memory_limit_bytes = 0;  // 0: none

// Called before a large block is taken into use at once: better to stop now than to be killed half-way.
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
