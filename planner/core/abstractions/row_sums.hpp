// Tables with several values per row, and the sum of the rows that a state selects, one from each table. The values of
// a row share a cache line and are added in vector registers.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

// First value of a row whose abstract state is a dead end.
inline constexpr Cost kDeadRow = -1;

template <class Value, std::size_t width>
class RowSums {
public:
    RowSums() = default;
    // Copies the first `width` of the `row_width` values of each row. Sums must fit into Value.
    RowSums(std::span<const Cost> values, std::size_t row_width) : rows_(values.size() / row_width) {
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            for (std::size_t lane = 0; lane < width; ++lane)
                rows_[row].values[lane] = static_cast<Value>(values[row * row_width + lane]);
        }
    }

    void add(std::size_t row) {
        sums_ += rows_[row].values;
        dead_ += is_dead(row);
    }
    void replace(std::size_t before, std::size_t now) {
        sums_ += rows_[now].values - rows_[before].values;
        dead_ += is_dead(now) - is_dead(before);
    }
    // The greatest sum; kDeadEnd if one of the selected rows is that of a dead end.
    Cost greatest() const {
        if (dead_ != 0) return kDeadEnd;
        Value greatest = sums_[0];
        for (std::size_t lane = 1; lane < width; ++lane) greatest = std::max<Value>(greatest, sums_[lane]);
        return greatest;
    }

private:
    // Vector type of the compiler; if it is wider than the registers, several registers are used.
    typedef Value Lanes __attribute__((vector_size(width * sizeof(Value))));
    struct Row {
        Lanes values;
    };

    int is_dead(std::size_t row) const { return rows_[row].values[0] == static_cast<Value>(kDeadRow) ? 1 : 0; }

    std::vector<Row> rows_;
    Lanes sums_{};
    int dead_ = 0;  // number of selected rows that are those of dead ends
};

}  // namespace fsplan
