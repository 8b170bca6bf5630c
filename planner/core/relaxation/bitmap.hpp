// A set of numbers below 4096 that finds its first member, or the next one (with wrap-around), in a few instructions.
#pragma once

#include "base/std.hpp"

namespace fsplan {

class Bitmap4096 {
public:
    static constexpr std::uint32_t kSize = 4096;

    bool empty() const { return summary_ == 0; }

    void insert(std::uint32_t member) {
        bits_[member / 64] |= std::uint64_t{1} << (member % 64);
        summary_ |= std::uint64_t{1} << (member / 64);
    }

    void erase(std::uint32_t member) {
        auto& bits = bits_[member / 64];
        bits &= ~(std::uint64_t{1} << (member % 64));
        if (bits == 0) summary_ &= ~(std::uint64_t{1} << (member / 64));
    }

    // The set must not be empty.
    std::uint32_t first() const {
        auto word = static_cast<std::uint32_t>(std::countr_zero(summary_));
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_[word]));
    }

    // The first member at or after `start`, with wrap-around.
    std::uint32_t next(std::uint32_t start) const {
        auto word = start / 64;
        auto here = bits_[word] & (~std::uint64_t{0} << (start % 64));
        if (here != 0) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(here));
        auto later = word == 63 ? 0 : summary_ & (~std::uint64_t{0} << (word + 1));
        if (later == 0) return first();
        word = static_cast<std::uint32_t>(std::countr_zero(later));
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_[word]));
    }

private:
    std::uint64_t summary_ = 0;
    std::array<std::uint64_t, 64> bits_{};
};

}  // namespace fsplan
