// A map from 64-bit hashes to numbers: open addressing without deletion. Most features that are looked up have no
// weight, so a Bloom filter that fits into the first-level cache is tested first.
#pragma once

#include "policies/relational/hashing.hpp"

namespace fsplan::relational {

template <class Number>
class HashTable {
public:
    explicit HashTable(std::size_t expected = 0) { clear(expected); }

    std::size_t size() const { return count_; }
    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
    void clear(std::size_t expected = 0) {
        std::size_t slots = 16;
        while (slots < 2 * expected) slots *= 2;
        slots_.assign(slots, {});
        bits_.assign(slots * kBitsPerSlot / 64, 0);
        count_ = 0;
    }

    // The number of a key; null if there is none.
    const Number* find(Hash key) const {
        if (!may_contain(key)) return nullptr;
        const Slot& slot = slots_[place(key)];
        return slot.used ? &slot.number : nullptr;
    }
    // 0 for a key without a number.
    Number operator[](Hash key) const { return may_contain(key) ? slots_[place(key)].number : 0; }
    void insert(Hash key, Number number) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(key)];
        count_ += slot.used ? 0 : 1;
        slot = {key, number, 1};
        mark(key);
    }

private:
    struct Slot {
        Hash key = 0;
        Number number = 0;
        std::uint32_t used = 0;
    };

    static constexpr std::size_t kBitsPerSlot = 8;

    std::size_t bit(Hash key) const { return (key >> 24) & (64 * bits_.size() - 1); }
    bool may_contain(Hash key) const { return (bits_[bit(key) / 64] >> (bit(key) % 64) & 1) != 0; }
    void mark(Hash key) { bits_[bit(key) / 64] |= std::uint64_t{1} << (bit(key) % 64); }

    // Index of the slot of the key, or of the free slot where it would be inserted.
    std::size_t place(Hash key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = (key >> 20) & mask;
        while (slots_[slot].used && slots_[slot].key != key) slot = (slot + 1) & mask;
        return slot;
    }
    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        bits_.assign(slots_.size() * kBitsPerSlot / 64, 0);
        for (const Slot& slot : old) {
            if (!slot.used) continue;
            slots_[place(slot.key)] = slot;
            mark(slot.key);
        }
    }

    std::vector<Slot> slots_;
    std::vector<std::uint64_t> bits_;
    std::size_t count_ = 0;
};

// Table of the weights that are not 0.
inline HashTable<float> weight_table(std::span<const Hash> features, std::span<const float> weights) {
    if (features.size() != weights.size()) throw std::invalid_argument("one weight for each feature is needed");
    HashTable<float> table(features.size());
    for (std::size_t i = 0; i < features.size(); ++i)
        if (weights[i] != 0) table.insert(features[i], weights[i]);
    return table;
}

}  // namespace fsplan::relational
