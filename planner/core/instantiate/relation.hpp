// A growing set of rows of object numbers, with hash indexes on sets of columns.
//
// Rows are known from insert() on, and active once activate() has entered them into the indexes: joins see the active
// rows only, so a semi-naive evaluation can add rows while it walks over others.
#pragma once

#include "base/std.hpp"

namespace fsplan {

using Object = std::int32_t;

inline constexpr std::size_t kFirstSlots = 16;

inline std::uint64_t mixed(std::uint64_t hash, Object value) {
    hash = (hash ^ static_cast<std::uint32_t>(value)) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

class Relation {
public:
    using Row = std::uint32_t;
    using Mask = std::uint64_t;  // bit c: column c
    static constexpr Row kNone = ~Row{0};
    static constexpr std::size_t kMaskColumns = 64;

    // If not `unique`, the caller guarantees that rows differ, and find() must not be called.
    Relation(std::size_t arity, std::size_t objects, bool unique = true)
        : arity_(arity), objects_(objects), unique_(unique), slots_(unique ? kFirstSlots : 0, kNone),
          seen_(arity, std::vector<bool>(objects)), distinct_(arity, 0) {}

    std::size_t arity() const { return arity_; }
    bool unique() const { return unique_; }
    bool grows() const { return grows_; }
    Row size() const { return size_; }
    Row active() const { return active_; }
    const Object* row(Row r) const { return cells_.data() + r * arity_; }
    std::size_t distinct(std::size_t column) const { return distinct_[column]; }  // number of values in active rows

    // Returns false if the row is known.
    bool insert(const Object* row) {
        if (unique_) {
            if (2 * (size_ + std::size_t{1}) > slots_.size()) grow();
            auto slot = slot_of_row(row);
            if (slots_[slot] != kNone) return false;
            slots_[slot] = size_;
        }
        cells_.insert(cells_.end(), row, row + arity_);
        ++size_;
        return true;
    }
    // Searches all known rows.
    Row find(const Object* row) const { return slots_[slot_of_row(row)]; }
    // Makes the next inactive row active.
    void activate() {
        const Object* cells = row(active_);
        for (std::size_t c = 0; c < arity_; ++c) {
            auto object = static_cast<std::size_t>(cells[c]);
            if (seen_[c][object]) continue;
            seen_[c][object] = true;
            ++distinct_[c];
        }
        for (auto& index : indexes_) enter(index, active_);
        ++active_;
    }
    // Removes all rows and keeps the indexes.
    void clear() {
        size_ = active_ = 0;
        cells_.clear();
        std::ranges::fill(slots_, kNone);
        for (auto& index : indexes_) {
            std::ranges::fill(index.slots, kNone);
            index.next.clear();
            index.keys = 0;
        }
        for (auto& seen : seen_) seen.assign(objects_, false);
        std::ranges::fill(distinct_, 0);
    }
    // Makes all rows active; no row may be inserted afterwards.
    void activate_all() {
        while (active_ < size_) activate();
        grows_ = false;
    }

    // The number of the index on these columns (at least one), which is built if it does not exist.
    std::size_t index(Mask mask) {
        for (std::size_t i = 0; i < indexes_.size(); ++i)
            if (indexes_[i].mask == mask) return i;
        Index index;
        index.mask = mask;
        for (std::uint32_t c = 0; c < std::min(arity_, kMaskColumns); ++c)
            if (mask >> c & 1) index.columns.push_back(c);
        index.slots.assign(index.columns.size() == 1 ? objects_ : kFirstSlots, kNone);
        for (Row r = 0; r < active_; ++r) enter(index, r);
        indexes_.push_back(std::move(index));
        return indexes_.size() - 1;
    }
    // The key has the values of the columns of the index, by ascending column.
    Row first(std::size_t index, const Object* key) const {
        return indexes_[index].slots[slot_of_key(indexes_[index], key)];
    }
    Row next(std::size_t index, Row r) const { return indexes_[index].next[r]; }

private:
    struct Index {
        Mask mask;
        std::vector<std::uint32_t> columns;
        // Rows with equal keys form a linked list. `slots` has the first row of each list: its index is the object if the
        // key is a single column, otherwise the key is hashed. `next` maps an active row to the next row of its list.
        std::vector<Row> slots, next;
        std::size_t keys = 0;
    };

    // The slot of an equal row, or the free slot where the row belongs.
    std::size_t slot_of_row(const Object* row) const {
        std::uint64_t hash = 0;
        for (std::size_t c = 0; c < arity_; ++c) hash = mixed(hash, row[c]);
        auto last = slots_.size() - 1;
        for (auto slot = hash & last;; slot = (slot + 1) & last) {
            if (slots_[slot] == kNone) return slot;
            const Object* cells = this->row(slots_[slot]);
            std::size_t c = 0;
            while (c < arity_ && cells[c] == row[c]) ++c;
            if (c == arity_) return slot;
        }
    }
    // The slot of the chain with this key, or the free slot where it belongs.
    std::size_t slot_of_key(const Index& index, const Object* key) const {
        auto width = index.columns.size();
        if (width == 1) return static_cast<std::size_t>(key[0]);
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < width; ++i) hash = mixed(hash, key[i]);
        auto last = index.slots.size() - 1;
        for (auto slot = hash & last;; slot = (slot + 1) & last) {
            if (index.slots[slot] == kNone) return slot;
            const Object* cells = row(index.slots[slot]);
            std::size_t i = 0;
            while (i < width && cells[index.columns[i]] == key[i]) ++i;
            if (i == width) return slot;
        }
    }
    void enter(Index& index, Row r) const {
        if (index.columns.size() > 1 && 2 * (index.keys + 1) > index.slots.size()) grow_index(index);
        Object key[kMaskColumns];
        for (std::size_t i = 0; i < index.columns.size(); ++i) key[i] = row(r)[index.columns[i]];
        auto slot = slot_of_key(index, key);
        index.keys += index.slots[slot] == kNone;
        index.next.push_back(index.slots[slot]);
        index.slots[slot] = r;
    }
    void grow_index(Index& index) const {
        std::vector<Row> old(2 * index.slots.size(), kNone);
        old.swap(index.slots);
        Object key[kMaskColumns];
        for (auto head : old) {
            if (head == kNone) continue;
            for (std::size_t i = 0; i < index.columns.size(); ++i) key[i] = row(head)[index.columns[i]];
            index.slots[slot_of_key(index, key)] = head;
        }
    }
    void grow() {
        slots_.assign(2 * slots_.size(), kNone);
        for (Row r = 0; r < size_; ++r) slots_[slot_of_row(row(r))] = r;
    }

    std::size_t arity_;
    std::size_t objects_;
    bool unique_;
    bool grows_ = true;
    Row size_ = 0;
    Row active_ = 0;
    std::vector<Object> cells_;
    std::vector<Row> slots_;
    std::vector<Index> indexes_;
    std::vector<std::vector<bool>> seen_;  // column -> object -> whether it occurs in an active row
    std::vector<std::size_t> distinct_;
};

}  // namespace fsplan
