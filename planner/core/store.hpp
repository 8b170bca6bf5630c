// Registries of states: every distinct state gets a dense id, in the order of registration.
//
// A source with states that are small values (an integer, an array of bytes) declares
//     using Store = ValueStore<State>;               Store make_store() { return {}; }
// with hash_value(state) found by argument-dependent lookup, or for integers the one below; a source whose states are
// packed into a number of words known at run time declares
//     using State = const Word*;
//     using Store = PackedStore<Word>;               Store make_store() { return Store(words); }
// Both keep the states in one flat array and find them through HashIndex.
//
// operator[] may be invalidated by the next intern(); hold(id) gives a state that stays valid until the next hold(), so
// a search can hold the state it expands while it registers the successors.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "array.hpp"
#include "graph.hpp"
#include "memory.hpp"

namespace fsplan {

// A bijection of 64 bits in which every input bit reaches the high bits, which choose the slot.
inline std::uint64_t mix(std::uint64_t value) {
    value ^= value >> 32;
    value *= 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
    value *= 0xD1B54A32D192ED03ULL;
    return value ^ (value >> 32);
}

inline std::uint64_t hash_value(std::uint64_t state) { return mix(state); }
inline std::uint64_t hash_value(std::uint32_t state) { return mix(state); }
inline std::uint64_t hash_value(unsigned __int128 state) {
    return mix(mix(static_cast<std::uint64_t>(state >> 64)) ^ static_cast<std::uint64_t>(state));
}

inline std::uint64_t hash_words(const void* words, std::size_t bytes) {
    const auto* next = static_cast<const unsigned char*>(words);
    std::uint64_t hash = bytes;
    while (bytes >= 8) {
        std::uint64_t word;
        std::memcpy(&word, next, 8);
        const auto product = static_cast<unsigned __int128>(hash ^ word) * 0x9E3779B97F4A7C15ULL;
        hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^ word;
        next += 8;
        bytes -= 8;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, next, bytes);
    return mix(hash ^ (rest * 0xA0761D6478BD642FULL));
}

// Open addressing with linear probing over slots of 8 bytes: the top 32 bits of the hash and the id. The slot is chosen
// by the top bits of the tag, so growing reads the old slots and writes the new ones from front to back and never
// touches a state.
class HashIndex {
public:
    template <class Equal>
    Interned intern(std::uint64_t hash, Equal equal) {
        if (count_ >= limit_) grow();
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        std::size_t slot = tag >> shift_;
        while (slots_[slot].id != kNoState) {
            if (slots_[slot].tag == tag && equal(slots_[slot].id)) return {slots_[slot].id, false};
            slot = (slot + 1) & mask_;
        }
        slots_[slot] = {tag, count_};
        return {count_++, true};
    }
    template <class Equal>
    StateId find(std::uint64_t hash, Equal equal) const {
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        if (slots_.empty()) return kNoState;
        std::size_t slot = tag >> shift_;
        while (slots_[slot].id != kNoState && !(slots_[slot].tag == tag && equal(slots_[slot].id)))
            slot = (slot + 1) & mask_;
        return slots_[slot].id;
    }
    void prefetch(std::uint64_t hash) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[static_cast<std::uint32_t>(hash >> 32) >> shift_]);
    }
    StateId size() const { return count_; }
    std::size_t bytes() const { return slots_.bytes(); }

private:
    struct Slot {
        std::uint32_t tag;
        StateId id;
    };

    [[gnu::noinline]] void grow() {
        if (shift_ == 0) throw std::bad_alloc();
        const int before = 32 - shift_;
        const int bits = slots_.empty() ? 6 : before + (before < 20 ? 2 : 1);
        const std::size_t capacity = std::size_t{1} << bits;
        require_memory(capacity * sizeof(Slot));
        FlatArray<Slot> old;
        old.swap(slots_);
        std::memset(static_cast<void*>(slots_.extend(capacity)), 0xFF, capacity * sizeof(Slot));
        mask_ = capacity - 1;
        shift_ = 32 - bits;
        limit_ = static_cast<StateId>(capacity / 4 * 3);
        for (const Slot& entry : old) {
            if (entry.id == kNoState) continue;
            std::size_t slot = entry.tag >> shift_;
            while (slots_[slot].id != kNoState) slot = (slot + 1) & mask_;
            slots_[slot] = entry;
        }
    }

    FlatArray<Slot> slots_;
    std::size_t mask_ = 0;
    int shift_ = 32;
    StateId count_ = 0;
    StateId limit_ = 0;
};

template <class State>
class ValueStore {
public:
    Interned intern(const State& state) {
        const Interned found = index_.intern(hash_value(state), [&](StateId id) { return states_[id] == state; });
        if (found.is_new) states_.push_back(state);
        return found;
    }
    StateId find(const State& state) const {
        return index_.find(hash_value(state), [&](StateId id) { return states_[id] == state; });
    }
    void prefetch(const State& state) const { index_.prefetch(hash_value(state)); }
    State operator[](StateId id) const { return states_[id]; }
    State hold(StateId id) const { return states_[id]; }
    std::size_t size() const { return states_.size(); }
    std::size_t bytes() const { return states_.bytes() + index_.bytes(); }

private:
    HashIndex index_;
    FlatArray<State> states_;
};

template <class Word>
class PackedStore {
public:
    explicit PackedStore(std::size_t words) : words_(words), held_(words) {}

    Interned intern(const Word* state) {
        const std::size_t bytes = words_ * sizeof(Word);
        const Interned found = index_.intern(hash_words(state, bytes), [&](StateId id) { return same(id, state); });
        if (found.is_new && bytes != 0) std::memcpy(data_.extend(words_), state, bytes);
        return found;
    }
    StateId find(const Word* state) const {
        return index_.find(hash_words(state, words_ * sizeof(Word)), [&](StateId id) { return same(id, state); });
    }
    const Word* operator[](StateId id) const { return data_.data() + id * words_; }
    const Word* hold(StateId id) {
        if (words_ != 0) std::memcpy(held_.data(), (*this)[id], words_ * sizeof(Word));
        return held_.data();
    }
    std::size_t size() const { return index_.size(); }
    std::size_t bytes() const { return data_.bytes() + index_.bytes(); }

private:
    bool same(StateId id, const Word* state) const {
        return words_ == 0 || std::memcmp((*this)[id], state, words_ * sizeof(Word)) == 0;
    }

    std::size_t words_;
    std::vector<Word> held_;
    HashIndex index_;
    FlatArray<Word> data_;
};

}  // namespace fsplan
