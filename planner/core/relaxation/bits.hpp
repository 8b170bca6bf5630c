// A set of fewer than 64 · W facts, as W words of 64 bits.
#pragma once

#include "base/std.hpp"

namespace fsplan {

template <std::size_t W>
struct Bits {
    std::array<std::uint64_t, W> words{};

    template <class Members>
    static Bits of(const Members& members) {
        Bits set;
        for (const std::uint32_t member : members) set.insert(member);
        return set;
    }

    void insert(std::uint32_t member) { words[member / 64] |= std::uint64_t{1} << (member % 64); }
    bool contains(std::uint32_t member) const { return (words[member / 64] >> (member % 64) & 1) != 0; }
    bool empty() const {
        std::uint64_t any = 0;
        for (auto word : words) any |= word;
        return any == 0;
    }
    bool has_at_most_one() const {
        std::uint64_t seen = 0, others = 0;
        for (auto word : words) {
            others |= (word & (word - 1)) | (seen != 0 ? word : 0);
            seen |= word;
        }
        return others == 0;
    }
    // The set must not be empty.
    std::uint32_t first() const {
        for (std::uint32_t w = 0; w + 1 < W; ++w) {
            if (words[w] != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(words[w]));
        }
        return (W - 1) * 64 + static_cast<std::uint32_t>(std::countr_zero(words[W - 1]));
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::uint32_t w = 0; w < W; ++w) {
            for (auto rest = words[w]; rest != 0; rest &= rest - 1) {
                visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
            }
        }
    }

    Bits& operator|=(const Bits& other) {
        for (std::size_t w = 0; w < W; ++w) words[w] |= other.words[w];
        return *this;
    }
    Bits& operator&=(const Bits& other) {
        for (std::size_t w = 0; w < W; ++w) words[w] &= other.words[w];
        return *this;
    }
    // The members that are not in the other set.
    Bits without(const Bits& other) const {
        Bits result;
        for (std::size_t w = 0; w < W; ++w) result.words[w] = words[w] & ~other.words[w];
        return result;
    }
};

}  // namespace fsplan
