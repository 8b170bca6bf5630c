#include "base/system.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define PSAPI_VERSION 2  // takes GetProcessMemoryInfo from kernel32, so psapi need not be linked
#include <windows.h>

#include <psapi.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <mach/mach.h>
#endif

namespace fsplan {

namespace {

[[noreturn]] void refuse_size(const std::string& path) {
    throw std::runtime_error(path + ": not a pattern database of the expected size");
}

struct Work {
    void (*call)(void*);
    void* argument;
};

void run(void* work) {
    const Work copied = *static_cast<Work*>(work);
    delete static_cast<Work*>(work);
    copied.call(copied.argument);
}

}  // namespace

#ifdef _WIN32

std::size_t resident_bytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) != 0 ? counters.WorkingSetSize : 0;
}

void* map_pages(std::size_t bytes) {
    void* const data = VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (data == nullptr) throw std::bad_alloc();
    return data;
}

void unmap_pages(void* data, std::size_t) { VirtualFree(data, 0, MEM_RELEASE); }

std::shared_ptr<const void> map_file(const std::string& path, std::size_t expected_size) {
    const HANDLE file = CreateFileA(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE)
        throw std::system_error(static_cast<int>(GetLastError()), std::system_category(), path);
    LARGE_INTEGER size{};
    const bool sized = GetFileSizeEx(file, &size) != 0 && static_cast<std::size_t>(size.QuadPart) == expected_size;
    const HANDLE mapping = sized ? CreateFileMappingA(file, nullptr, PAGE_READONLY, 0, 0, nullptr) : nullptr;
    void* const address = mapping != nullptr ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, expected_size) : nullptr;
    if (mapping != nullptr) CloseHandle(mapping);  // the mapped view keeps the mapping open
    CloseHandle(file);
    if (address == nullptr) refuse_size(path);
    return {address, [](const void* mapped) { UnmapViewOfFile(mapped); }};
}

std::uintptr_t lowest_stack_address() {
    ULONG_PTR low = 0;
    ULONG_PTR high = 0;
    GetCurrentThreadStackLimits(&low, &high);
    return low;
}

namespace {
DWORD WINAPI run_as_thread(void* work) {
    run(work);
    return 0;
}
}  // namespace

bool start_detached(void (*work)(void*), void* argument, std::size_t stack_bytes) {
    auto* const copied = new Work{work, argument};
    const HANDLE thread = CreateThread(nullptr, stack_bytes, run_as_thread, copied, 0, nullptr);
    if (thread == nullptr) {
        delete copied;
        return false;
    }
    CloseHandle(thread);
    return true;
}

void write_to_stream(StandardStream stream, std::string_view text) {
    DWORD written = 0;
    const HANDLE file = GetStdHandle(stream == StandardStream::output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
    WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

void end_process(int exit_code) {
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(exit_code));
    std::abort();  // not reached
}

#else

std::size_t resident_bytes() {
#ifdef __APPLE__
    mach_task_basic_info info{};
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    const auto answer = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&info), &count);
    return answer == KERN_SUCCESS ? info.resident_size : 0;
#else
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    char* pages = text;  // statm begins with two numbers of pages: total and resident
    std::strtoull(text, &pages, 10);
    return std::strtoull(pages, nullptr, 10) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#endif
}

void* map_pages(std::size_t bytes) {
    void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return data;
}

void unmap_pages(void* data, std::size_t bytes) { munmap(data, bytes); }

std::shared_ptr<const void> map_file(const std::string& path, std::size_t expected_size) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw std::system_error(errno, std::generic_category(), path);
    struct stat status{};
    const bool sized = fstat(file, &status) == 0 && static_cast<std::size_t>(status.st_size) == expected_size;
    void* const address = sized ? mmap(nullptr, expected_size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (address == MAP_FAILED) refuse_size(path);
    return {address, [expected_size](const void* mapped) { munmap(const_cast<void*>(mapped), expected_size); }};
}

std::uintptr_t lowest_stack_address() {
#ifdef __APPLE__
    const auto highest = reinterpret_cast<std::uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
    return highest - pthread_get_stacksize_np(pthread_self());
#else
    void* lowest = nullptr;
    std::size_t bytes = 0;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return reinterpret_cast<std::uintptr_t>(lowest);
#endif
}

namespace {
void* run_as_thread(void* work) {
    run(work);
    return nullptr;
}
}  // namespace

bool start_detached(void (*work)(void*), void* argument, std::size_t stack_bytes) {
    auto* const copied = new Work{work, argument};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, run_as_thread, copied) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) delete copied;
    return started;
}

// A pipe that is ready accepts PIPE_BUF bytes, at least 512, without blocking.
void write_to_stream(StandardStream stream, std::string_view text) {
    constexpr int kMilliseconds = 1000;
    pollfd file{stream == StandardStream::output ? STDOUT_FILENO : STDERR_FILENO, POLLOUT, 0};
    while (!text.empty() && poll(&file, 1, kMilliseconds) == 1) {
        const ssize_t written = write(file.fd, text.data(), std::min<std::size_t>(text.size(), 512));
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void end_process(int exit_code) { _exit(exit_code); }

#endif

void* remap_pages(void* data, std::size_t bytes, std::size_t wanted) {
#ifdef __linux__
    void* const moved = mremap(data, bytes, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
#else
    void* const moved = map_pages(wanted);
    std::memcpy(moved, data, bytes);
    unmap_pages(data, bytes);
#endif
    return moved;
}

// Clang on Windows has the vector instructions, but not the library behind __builtin_cpu_supports.
bool has_avx2() {
#if defined(_WIN32)
    return IsProcessorFeaturePresent(40) != 0;  // PF_AVX2_INSTRUCTIONS_AVAILABLE
#elif defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
    return false;
#endif
}

bool has_avx512() {
#if defined(__x86_64__) && !defined(_WIN32)
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0;
#else
    return false;
#endif
}

}  // namespace fsplan
