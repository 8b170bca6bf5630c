// The last resort of a time limit: ends the process if a piece of work does not look at the clock.
//
// Searches and grounding check their limits themselves and return what they have. But user code in a Python task, a long
// import, or a loop that we forgot to give a watch could run on forever, and Python's signal handlers run only between
// two bytecodes. A thread of its own needs none of them to cooperate.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind/parts.hpp"
#include "system.hpp"

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

void wait_and_exit(void* argument) {
    const auto* deadline = static_cast<const Deadline*>(argument);
    std::this_thread::sleep_for(std::chrono::duration<double>(deadline->seconds));
    if (deadline->generation == current_generation)
        end_process(deadline->exit_code, deadline->message.data(), deadline->message.size());
    delete deadline;
}

void exit_at_deadline(double seconds, int exit_code, const std::string& message) {
    const std::uint64_t generation = ++current_generation;
    if (seconds <= 0) return;
    auto* deadline = new Deadline{generation, std::min(seconds, 1e9), exit_code, message};
    if (!start_detached(wait_and_exit, deadline, kStackBytes)) delete deadline;
}

}  // namespace

void bind_deadline(nb::module_& module) {
    module.def("exit_at_deadline", &exit_at_deadline, nb::arg("seconds"), nb::arg("exit_code"), nb::arg("message"),
               "Ends the process after this number of seconds, unless called again before; 0 seconds: never.");
}

}  // namespace fsplan
