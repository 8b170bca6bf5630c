// Registries of states: every distinct state gets a dense id, in the order of registration.
//
// A space with states that are small values (an integer, an array of bytes) declares
//     using Store = ValueStore<State>;               Store make_store() { return {}; }
// with hash_value(state) found by argument-dependent lookup, or for integers the one below; a space whose states are
// packed into a number of words known at run time declares
//     using State = const Word*;
//     using Store = PackedStore<Word>;               Store make_store() { return Store(words); }
// Both keep the states in one flat array and find them through HashIndex.
//
// If intern throws for lack of memory, the registry is unchanged.
//
// operator[] may be invalidated by the next intern(); hold(id) gives a state that stays valid until the next hold(), so
// a search can hold the state it expands while it registers the successors.
#pragma once

#include "base/memory.hpp"
#include "containers/array.hpp"
#include "contract/graph.hpp"

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

// Open addressing with linear probing. A slot has 8 bytes: the tag, which is the top 32 bits of the hash, and the id.
// The home slot is proportional to the tag. So the table can grow by any factor, in place: entries are moved from back
// to front, each to a higher slot that is free by then. The states are not read, because the tag suffices.
class HashIndex {
public:
    template <class Equal>
    Interned intern(std::uint64_t hash, Equal equal) {
        if (count_ >= limit_) grow();
        const std::uint32_t tag = tag_of(hash);
        std::size_t slot = home(tag);
        while (slots_[slot].id != kNoState) {
            if (slots_[slot].tag == tag && equal(slots_[slot].id)) return {slots_[slot].id, false};
            slot = after(slot);
        }
        slots_[slot] = {tag, count_};
        return {count_++, true};
    }
    template <class Equal>
    StateId find(std::uint64_t hash, Equal equal) const {
        if (slots_.empty()) return kNoState;
        const std::uint32_t tag = tag_of(hash);
        std::size_t slot = home(tag);
        while (slots_[slot].id != kNoState && !(slots_[slot].tag == tag && equal(slots_[slot].id))) slot = after(slot);
        return slots_[slot].id;
    }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(slots_.data() + home(tag_of(hash))); }
    StateId size() const { return count_; }
    std::size_t bytes() const { return slots_.bytes(); }

private:
    struct Slot {
        std::uint32_t tag;
        StateId id;
    };
    static constexpr std::size_t kFewestSlots = 64;
    static constexpr std::size_t kMostSlots = std::size_t{1} << 31;

    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
    std::size_t home(std::uint32_t tag) const { return tag * std::uint64_t{slots_.size()} >> 32; }
    std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

    // Growth factor: large for small tables, small for large ones.
    static std::size_t growth(std::size_t slots) {
        if (slots < std::size_t{1} << 14) return slots * 3;
        return slots < std::size_t{1} << 18 ? slots : slots / 2;
    }
    [[gnu::noinline]] void grow() {
        const std::size_t before = slots_.size();
        if (before == kMostSlots) throw std::bad_alloc();
        const std::size_t added = before == 0 ? kFewestSlots : std::min(growth(before), kMostSlots - before);
        require_memory(added * sizeof(Slot));
        std::memset(static_cast<void*>(slots_.extend(added)), 0xFF, added * sizeof(Slot));
        limit_ = static_cast<StateId>((before + added) / 5 * 4);
        spread(before);
    }
    // Moves the entries of the first slots to their new slots, from back to front. Slots after `at` hold moved entries
    // only, so an entry whose new slot is there can be moved at once. A few entries at the front, whose slots are not
    // yet free, and those that wrap around the end are moved last.
    void spread(std::size_t before) {
        FlatArray<Slot> waiting;
        for (std::size_t at = before; at-- > 0;) {
            const Slot entry = slots_[at];
            if (entry.id == kNoState) continue;
            slots_[at].id = kNoState;
            std::size_t slot = home(entry.tag);
            const bool clear = slot >= at;
            while (clear && slot < slots_.size() && slots_[slot].id != kNoState) ++slot;
            if (clear && slot < slots_.size()) slots_[slot] = entry;
            else waiting.push_back(entry);
        }
        for (const Slot& entry : waiting) {
            std::size_t slot = home(entry.tag);
            while (slots_[slot].id != kNoState) slot = after(slot);
            slots_[slot] = entry;
        }
    }

    FlatArray<Slot> slots_;
    StateId count_ = 0;
    StateId limit_ = 0;
};

template <class State>
class ValueStore {
public:
    Interned intern(const State& state) { return intern(state, hash_value(state)); }
    [[gnu::always_inline]] Interned intern(const State& state, std::uint64_t hash) {
        states_.make_room(1);
        const Interned found = index_.intern(hash, [&](StateId id) { return states_[id] == state; });
        if (found.is_new) states_.push_back(state);
        return found;
    }
    StateId find(const State& state) const {
        return index_.find(hash_value(state), [&](StateId id) { return states_[id] == state; });
    }
    // Computes the hash for intern and prefetches the memory that intern will read.
    std::uint64_t prefetch(const State& state) const {
        const std::uint64_t hash = hash_value(state);
        index_.prefetch(hash);
        return hash;
    }
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

    Interned intern(const Word* state) { return intern(state, hash_of(state)); }
    [[gnu::always_inline]] Interned intern(const Word* state, std::uint64_t hash) {
        const std::size_t bytes = words_ * sizeof(Word);
        data_.make_room(words_);
        const Interned found = index_.intern(hash, [&](StateId id) { return same(id, state); });
        if (found.is_new && bytes != 0) std::memcpy(data_.extend(words_), state, bytes);
        return found;
    }
    StateId find(const Word* state) const {
        return index_.find(hash_of(state), [&](StateId id) { return same(id, state); });
    }
    // Computes the hash for intern and prefetches the memory that intern will read.
    std::uint64_t prefetch(const Word* state) const {
        const std::uint64_t hash = hash_of(state);
        index_.prefetch(hash);
        return hash;
    }
    std::size_t words() const { return words_; }
    const Word* operator[](StateId id) const { return data_.data() + id * words_; }
    const Word* hold(StateId id) {
        if (words_ != 0) std::memcpy(held_.data(), (*this)[id], words_ * sizeof(Word));
        return held_.data();
    }
    std::size_t size() const { return index_.size(); }
    std::size_t bytes() const { return data_.bytes() + index_.bytes(); }

private:
    std::uint64_t hash_of(const Word* state) const { return hash_words(state, words_ * sizeof(Word)); }
    bool same(StateId id, const Word* state) const {
        return words_ == 0 || std::memcmp((*this)[id], state, words_ * sizeof(Word)) == 0;
    }

    std::size_t words_;
    std::vector<Word> held_;
    HashIndex index_;
    FlatArray<Word> data_;
};

}  // namespace fsplan
