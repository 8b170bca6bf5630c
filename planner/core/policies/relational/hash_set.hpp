// A set of hashes that is cleared in constant time.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/relational/hashing.hpp"

namespace fsplan::relational {

class HashSet {
public:
    HashSet() : slots_(256) {}

    void clear() {
        ++generation_;
        count_ = 0;
    }
    // Inserts the hash; returns whether it is new.
    bool insert(Hash hash) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(hash)];
        if (slot.generation == generation_) return false;
        slot = {hash, generation_};
        ++count_;
        return true;
    }

private:
    struct Slot {
        Hash hash = 0;
        std::uint64_t generation = 0;
    };

    std::size_t place(Hash hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = (hash >> 20) & mask;
        while (slots_[slot].generation == generation_ && slots_[slot].hash != hash) slot = (slot + 1) & mask;
        return slot;
    }
    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.generation == generation_) slots_[place(slot.hash)] = slot;
    }

    std::vector<Slot> slots_;
    std::uint64_t generation_ = 1;
    std::size_t count_ = 0;
};

}  // namespace fsplan::relational
