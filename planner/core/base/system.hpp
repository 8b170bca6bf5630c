// Functions that depend on the operating system (Linux, macOS, Windows): memory, mapped files, stacks, threads, instruction sets.
#pragma once

#include "base/std.hpp"

namespace fsplan {

// Resident memory of the process; 0 if unknown.
std::size_t resident_bytes();

// map_pages returns zeroed pages from the system. remap_pages changes the size and keeps the contents: it moves pages
// without copying if the system can do this, and copies them otherwise. Both throw std::bad_alloc.
void* map_pages(std::size_t bytes);
void* remap_pages(void* data, std::size_t bytes, std::size_t wanted);
void unmap_pages(void* data, std::size_t bytes);

// Maps a file of this size for reading; it is unmapped when the last reference is gone. Throws if the file cannot be
// opened or has another size.
std::shared_ptr<const void> map_file(const std::string& path, std::size_t expected_size);

// The lowest address of this thread's stack; 0 if unknown.
std::uintptr_t lowest_stack_address();

// Starts a detached thread with a stack of this size; returns whether this succeeded.
bool start_detached(void (*work)(void*), void* argument, std::size_t stack_bytes);

// write_to_stream writes a text without allocating memory. It gives up if the reader accepts nothing for a second.
enum class StandardStream { output, error };
void write_to_stream(StandardStream stream, std::string_view text);

// Ends the process at once: no destructors, no exit handlers.
[[noreturn]] void end_process(int exit_code);

bool has_avx2();    // and FMA
bool has_avx512();  // F, BW and DQ

}  // namespace fsplan
