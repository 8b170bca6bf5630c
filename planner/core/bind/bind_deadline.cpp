// The last resort of a time limit: ends the process if a piece of work does not look at the clock.
//
// Searches and grounding check their limits themselves and return what they have. But user code in a Python task, a long
// import, or a loop that we forgot to give a watch could run on forever, and Python's signal handlers run only between
// two bytecodes. A thread of its own needs none of them to cooperate.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>

#include <pthread.h>
#include <unistd.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind/parts.hpp"

namespace nb = nanobind;

namespace fsplan {
namespace {

// The thread must not allocate: the process may be out of memory.
struct Deadline {
    std::uint64_t generation;
    double seconds;
    int exit_code;
    std::string message;
};
std::atomic<std::uint64_t> current_generation = 0;
constexpr std::size_t kStackBytes = std::size_t{1} << 16;  // counts towards the memory limit

void sleep_for(double seconds) {
    timespec left{static_cast<std::time_t>(seconds), 0};
    left.tv_nsec = static_cast<long>((seconds - static_cast<double>(left.tv_sec)) * 1e9);
    while (nanosleep(&left, &left) != 0) {
    }
}

void* wait_and_exit(void* argument) {
    const auto* deadline = static_cast<const Deadline*>(argument);
    sleep_for(deadline->seconds);
    if (deadline->generation == current_generation) {
        [[maybe_unused]] const auto written = write(STDERR_FILENO, deadline->message.data(), deadline->message.size());
        _exit(deadline->exit_code);
    }
    delete deadline;
    return nullptr;
}

void exit_at_deadline(double seconds, int exit_code, const std::string& message) {
    const std::uint64_t generation = ++current_generation;
    if (seconds <= 0) return;
    auto* deadline = new Deadline{generation, std::min(seconds, 1e9), exit_code, message};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_and_exit, deadline) != 0) delete deadline;
    pthread_attr_destroy(&attributes);
}

}  // namespace

void bind_deadline(nb::module_& module) {
    module.def("exit_at_deadline", &exit_at_deadline, nb::arg("seconds"), nb::arg("exit_code"), nb::arg("message"),
               "Ends the process after this number of seconds, unless called again before; 0 seconds: never.");
}

}  // namespace fsplan
