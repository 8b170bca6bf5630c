// A growing set of rows of object numbers, with hash indexes on sets of columns.
//
// Rows are known from insert() on, and active once activate() has entered them into the indexes: joins see the active
// rows only, so a semi-naive evaluation can add rows while it walks over others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fsplan {

using Object = std::int32_t;

class Relation {
public:
    using Row = std::uint32_t;
    using Mask = std::uint64_t;  // bit c: column c
    static constexpr Row kNone = ~Row{0};
    static constexpr std::size_t kMaskColumns = 64;

    // If not `unique`, the caller guarantees that rows differ, and find() must not be called.
    Relation(std::size_t arity, std::size_t objects, bool unique = true);

    std::size_t arity() const { return arity_; }
    bool unique() const { return unique_; }
    bool grows() const { return grows_; }
    Row size() const { return size_; }
    Row active() const { return active_; }
    const Object* row(Row r) const { return cells_.data() + r * arity_; }
    std::size_t distinct(std::size_t column) const { return distinct_[column]; }  // number of values in active rows

    bool insert(const Object* row);     // false if the row is known
    Row find(const Object* row) const;  // searches all known rows
    void activate();                    // activates the next known row
    void activate_all();                // activates all rows; the relation must not grow afterwards

    // The number of the index on these columns (at least one), which is built if it does not exist.
    std::size_t index(Mask mask);
    Row first(std::size_t index,
              const Object* key) const;  // key: values of the columns of the index, by ascending column
    Row next(std::size_t index, Row r) const { return indexes_[index].next[r]; }

private:
    struct Index {
        Mask mask;
        std::vector<std::uint32_t> columns;
        std::vector<Row> slots;  // first row of a chain; by object for a single column, else hashed
        std::vector<Row> next;   // active rows
        std::size_t keys = 0;
    };

    std::size_t slot_of_row(const Object* row) const;
    std::size_t slot_of_key(const Index& index, const Object* key) const;
    void enter(Index& index, Row r) const;
    void grow_index(Index& index) const;
    void grow();

    std::size_t arity_;
    std::size_t objects_;
    bool unique_;
    bool grows_ = true;
    Row size_ = 0;
    Row active_ = 0;
    std::vector<Object> cells_;
    std::vector<Row> slots_;
    std::vector<Index> indexes_;
    std::vector<std::vector<bool>> seen_;  // column -> object
    std::vector<std::size_t> distinct_;
};

}  // namespace fsplan
