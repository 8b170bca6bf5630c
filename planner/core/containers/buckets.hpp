// Data structures for lists of entries with the same priority, of which BucketQueue consists:
//   EntryLists       stacks or queues of entries that share one array of cells
//   Distinct         the distinct priorities in use, found by hashing, the non-empty ones in a 4-ary heap
//   SmallPriorities  a table of lists for small priorities, of which nearly all are in use: no hashing, no heap
#pragma once

#include "containers/array.hpp"
#include "containers/heap.hpp"
#include "containers/store.hpp"

namespace fsplan {

struct Priority {
    std::int64_t key;
    Cost first;
    Cost second;

    bool operator==(const Priority&) const = default;
    bool operator<(const Priority& other) const {
        if (key != other.key) return key < other.key;
        return first != other.first ? first < other.first : second < other.second;
    }
};

inline std::uint64_t hash_value(const Priority& priority) {
    const auto ties = static_cast<std::uint64_t>(static_cast<std::uint32_t>(priority.first)) << 32 |
                      static_cast<std::uint32_t>(priority.second);
    return mix(static_cast<std::uint64_t>(priority.key) * 0x9E3779B97F4A7C15ULL ^ ties);
}

struct Entry {
    StateId id;
    Cost g;
};

// A list is represented by the number of one of its cells, or kEmptyList. In a stack this is the first cell. In a queue
// it is the last cell, and the list is circular: the successor of the last cell is the first.
using EntryList = std::uint32_t;
inline constexpr EntryList kEmptyList = kNoState;

class EntryLists {
public:
    explicit EntryLists(bool newest) : newest_(newest) {}

    void push(EntryList& list, Entry entry) {
        const std::uint32_t cell = allocate(entry);
        if (newest_) {
            cells_[cell].next = list;
        } else {
            const std::uint32_t last = list == kEmptyList ? cell : list;
            cells_[cell].next = last == cell ? cell : cells_[last].next;
            cells_[last].next = cell;
        }
        list = cell;
    }
    Entry top(EntryList list) const { return cells_[first(list)].entry; }
    Entry pop(EntryList& list) {
        const std::uint32_t cell = first(list);
        const Entry entry = cells_[cell].entry;
        const std::uint32_t next = cells_[cell].next;
        if (newest_) list = next;
        else if (cell == list) list = kEmptyList;
        else cells_[list].next = next;
        cells_[cell].next = free_;
        free_ = cell;
        if (list != kEmptyList) __builtin_prefetch(&cells_[next]);
        return entry;
    }
    // Visits entries until visit returns false; returns false then.
    template <class Visit>
    bool visit(EntryList list, Visit visit) const {
        if (list == kEmptyList) return true;
        for (std::uint32_t cell = first(list);; cell = cells_[cell].next) {
            if (!visit(cells_[cell].entry)) return false;
            if (newest_ ? cells_[cell].next == kEmptyList : cell == list) return true;
        }
    }
    std::size_t bytes() const { return cells_.bytes(); }

private:
    struct Cell {
        Entry entry;
        std::uint32_t next;
    };

    std::uint32_t first(EntryList list) const { return newest_ ? list : cells_[list].next; }
    std::uint32_t allocate(Entry entry) {
        if (free_ == kEmptyList) {
            cells_.push_back({entry, kEmptyList});
            return static_cast<std::uint32_t>(cells_.size() - 1);
        }
        const std::uint32_t cell = free_;
        free_ = cells_[cell].next;
        cells_[cell].entry = entry;
        return cell;
    }

    bool newest_;
    FlatArray<Cell> cells_;
    std::uint32_t free_ = kEmptyList;
};

// Dense numbers for distinct keys, and a heap of the keys marked present.
template <class Key>
class Distinct {
public:
    struct Item {
        Key key;
        std::uint32_t number;
    };
    struct Less {
        bool operator()(const Item& left, const Item& right) const { return left.key < right.key; }
    };

    Interned number(const Key& key) {
        const Interned found = index_.intern(hash_value(key), [&](StateId id) { return keys_[id] == key; });
        if (found.is_new) keys_.push_back(key);
        return found;
    }
    const Key& key(std::uint32_t number) const { return keys_[number]; }
    void mark(std::uint32_t number) { heap_.push({keys_[number], number}); }
    bool empty() const { return heap_.empty(); }
    const Item& top() const { return heap_.top(); }
    void unmark_top() { heap_.pop(); }
    const QuaternaryHeap<Item, Less>& heap() const { return heap_; }
    std::size_t bytes() const { return index_.bytes() + keys_.bytes() + heap_.bytes(); }

private:
    HashIndex index_;
    FlatArray<Key> keys_;
    QuaternaryHeap<Item, Less> heap_;
};

// A table of lists with a row for each key and a column for each `first`; or, if `second` is in use, a row for each key
// and `first`, a column for each `second`. Rows below least_ are empty.
class SmallPriorities {
public:
    explicit SmallPriorities(bool with_second) : with_second_(with_second) {}

    bool covers(const Priority& priority) const {
        return static_cast<std::uint64_t>(priority.key) < (with_second_ ? kMostRows / kColumns : kMostRows) &&
               static_cast<std::uint32_t>(priority.first) < kColumns &&
               static_cast<std::uint32_t>(priority.second) < (with_second_ ? kColumns : 1);
    }

    // An iterator over the non-empty lists: a row, and the bit set of its non-empty lists that were not visited yet.
    struct Position {
        std::size_t row;
        std::uint64_t columns;

        int column() const { return std::countr_zero(columns); }
        std::size_t number() const { return row * kColumns + static_cast<std::size_t>(column()); }
    };
    Priority priority(const Position& position) const {
        if (!with_second_) return {static_cast<std::int64_t>(position.row), position.column(), 0};
        return {static_cast<std::int64_t>(position.row / kColumns), static_cast<Cost>(position.row % kColumns),
                position.column()};
    }

    bool empty() const { return least_ == rows_.size(); }
    Position begin() const { return {least_, empty() ? 0 : rows_[least_]}; }
    bool at_end(const Position& position) const { return position.row == rows_.size(); }
    void advance(Position& position) const {
        position.columns &= position.columns - 1;
        while (position.columns == 0 && ++position.row < rows_.size()) position.columns = rows_[position.row];
    }
    EntryList& list(const Position& position) { return lists_[position.number()]; }
    EntryList list(const Position& position) const { return lists_[position.number()]; }

    // The list of a priority in the table; the caller must add an entry.
    EntryList& list_to_fill(const Priority& priority) {
        const auto key = static_cast<std::size_t>(priority.key), first = static_cast<std::size_t>(priority.first);
        const auto row = with_second_ ? key * kColumns + first : key;
        const auto column = with_second_ ? static_cast<std::size_t>(priority.second) : first;
        if (row >= rows_.size()) add_rows(row + 1);
        if (row < least_) least_ = row;
        rows_[row] |= std::uint64_t{1} << column;
        return lists_[row * kColumns + column];
    }
    // Removes the first list, which has become empty.
    void drop_first() {
        Position first = begin();
        rows_[least_] &= rows_[least_] - 1;
        advance(first);
        least_ = first.row;
    }
    std::size_t bytes() const { return lists_.bytes() + rows_.bytes(); }

private:
    static constexpr std::size_t kColumns = 64;
    static constexpr std::size_t kMostRows = 2048;

    [[gnu::noinline]] void add_rows(std::size_t count) {
        if (empty()) least_ = count;
        rows_.resize(count, 0);
        lists_.resize(count * kColumns, kEmptyList);
    }

    bool with_second_;
    FlatArray<std::uint64_t> rows_;  // row -> bit set of its non-empty lists
    FlatArray<EntryList> lists_;
    std::size_t least_ = 0;
};

}  // namespace fsplan
