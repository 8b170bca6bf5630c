// Watchdog for the time limit: ends the process if it is still running when the limit is over.
//
// Searches and grounding check their limits themselves and return the best result so far. But user code in a Python
// task, a long import, or a loop without a Budget could exceed the limit, and Python's signal handlers run only between
// two bytecodes. So a separate thread ends the process.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

#include "base/system.hpp"
#include "bind/parts.hpp"

namespace fsplan {
namespace {

// Argument of the watchdog thread. The thread must not allocate, because the process may be out of memory.
struct Deadline {
    std::uint64_t generation;
    double seconds;
};
std::atomic<std::uint64_t> current_generation = 0;
constexpr std::size_t kStackBytes = std::size_t{1} << 16;  // small, because the stack counts towards the memory limit

// Output of the watchdog and files that it removes, before it ends the process.
struct LastWords {
    int exit_code = 0;
    std::string message;                  // text for standard error
    std::string output;                   // text for standard output
    std::vector<std::string> unfinished;  // unfinished files to remove
};
std::mutex last_words_mutex;
std::unique_ptr<const LastWords> last_words = std::make_unique<const LastWords>();

[[noreturn]] void end_with_last_words() {
    const std::lock_guard lock(last_words_mutex);
    for (const std::string& path : last_words->unfinished) std::remove(path.c_str());
    write_to_stream(StandardStream::output, last_words->output);
    write_to_stream(StandardStream::error, last_words->message);
    end_process(last_words->exit_code);
}

void wait_and_exit(void* argument) {
    const auto* deadline = static_cast<const Deadline*>(argument);
    std::this_thread::sleep_for(std::chrono::duration<double>(deadline->seconds));
    if (deadline->generation == current_generation) end_with_last_words();
    delete deadline;
}

void exit_at_deadline(double seconds) {
    const std::uint64_t generation = ++current_generation;
    if (seconds <= 0) return;
    auto* deadline = new Deadline{generation, std::min(seconds, 1e9)};
    if (!start_detached(wait_and_exit, deadline, kStackBytes)) delete deadline;
}

void set_last_words(int exit_code, std::string message, std::string output, std::vector<std::string> unfinished) {
    auto words = std::make_unique<const LastWords>(
        LastWords{exit_code, std::move(message), std::move(output), std::move(unfinished)});
    const std::lock_guard lock(last_words_mutex);
    last_words.swap(words);
}

}  // namespace

void bind_deadline(nb::module_& module) {
    module.def("exit_at_deadline", &exit_at_deadline, nb::arg("seconds"),
               "Ends the process after this number of seconds, unless called again before; 0 seconds: never.");
    module.def(
        "set_last_words", &set_last_words, nb::arg("exit_code"), nb::arg("message"), nb::arg("output") = "",
        nb::arg("unfinished") = std::vector<std::string>(),
        "What a process that the deadline ends writes to stderr and stdout, and the unfinished files that it removes.");
}

}  // namespace fsplan
