// Memory for growing arrays. Large blocks are mapped: on Linux they grow by remapping their pages, so growing neither copies them
// nor doubles the peak memory, and pages not yet written take no memory. A few freed blocks are cached for the thread's next
// search, because fetching new pages from the system would take a tenth of the time of a small search.
#pragma once

#include <cstdlib>

#include "base/system.hpp"

namespace fsplan {

struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
};

class SpareBlocks {
public:
    SpareBlocks() = default;
    SpareBlocks(const SpareBlocks&) = delete;
    SpareBlocks& operator=(const SpareBlocks&) = delete;
    ~SpareBlocks() { release(); }

    void release() {
        for (Block& block : blocks_) {
            if (block.data != nullptr) unmap_pages(block.data, block.bytes);
            block = {};
        }
        total_ = 0;
    }

    // The largest cached block if it has at least this many bytes, otherwise an empty one.
    Block take(std::size_t bytes) {
        Block* largest = &blocks_[0];
        for (Block& block : blocks_)
            if (block.bytes > largest->bytes) largest = &block;
        if (largest->bytes < bytes) return {};
        total_ -= largest->bytes;
        return std::exchange(*largest, {});
    }
    bool keep(const Block& block) {
        if (total_ + block.bytes > kMostBytes) return false;
        for (Block& free : blocks_) {
            if (free.data != nullptr) continue;
            free = block;
            total_ += block.bytes;
            return true;
        }
        return false;
    }

private:
    static constexpr std::size_t kMostBytes = std::size_t{1} << 24;

    std::array<Block, 8> blocks_{};
    std::size_t total_ = 0;
};

inline thread_local SpareBlocks spare_blocks;

// Blocks of at least this size are mapped, in whole pages. With AddressSanitizer no block is mapped.
#ifdef __SANITIZE_ADDRESS__
inline constexpr std::size_t kMappedBytes = static_cast<std::size_t>(-1);
#else
inline constexpr std::size_t kMappedBytes = std::size_t{1} << 17;
#endif
inline constexpr std::size_t kPageBytes = 4096;

inline void free_block(const Block& block) {
    if (block.bytes < kMappedBytes) std::free(block.data);
    else if (!spare_blocks.keep(block)) unmap_pages(block.data, block.bytes);
}

// Grows a block to at least `wanted` bytes, which must be more than it has; the contents stay.
inline Block grow_block(const Block& block, std::size_t wanted) {
    if (wanted < kMappedBytes) {
        void* const moved = std::realloc(block.data, wanted);
        if (moved == nullptr) throw std::bad_alloc();
        return {moved, wanted};
    }
    const std::size_t bytes = (wanted + kPageBytes - 1) / kPageBytes * kPageBytes;
    if (block.bytes >= kMappedBytes) return {remap_pages(block.data, block.bytes, bytes), bytes};
    Block larger = spare_blocks.take(bytes);
    if (larger.data == nullptr) larger = {map_pages(bytes), bytes};
    if (block.data != nullptr) std::memcpy(larger.data, block.data, block.bytes);
    std::free(block.data);
    return larger;
}

}  // namespace fsplan
