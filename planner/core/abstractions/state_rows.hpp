// Finds the row of each table that a state selects. Consecutive states mostly differ in a few variables, so the rows of
// the last state are stored, and only tables that depend on a changed variable are updated.
#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "abstractions/abstraction.hpp"
#include "task/layout.hpp"

namespace fsplan {

class StateRows {
public:
    StateRows(const GroundTask& task, const Layout& layout);

    // Adds a table over the values of some variables: the row is first + Σ value · stride, and the strides are 1, the
    // first variable's number of values, and so on.
    void add_projection(const VariablePattern& pattern, std::size_t first);
    // Adds a table over the states of a Cartesian abstraction: the row is first + the abstract state.
    void add_tree(const SplitTree& splits, std::size_t first);

    // Visits the rows of the last state, one per table. Initially the last state has value 0 for all variables.
    template <class Visit>
    void each_row(Visit visit) const {
        for (const auto& table : tables_) visit(table.row);
    }
    // Calls replace(before, now) for the tables whose row differs from that of the last state.
    template <class Replace>
    void move_to(const Word* state, Replace replace) {
        note_changes(state);
        work_ += touched_count_;
        for (std::size_t next = 0; next < touched_count_; ++next) {
            const auto [number, before] = touched_[next];
            auto& table = tables_[number];
            table.touched = 0;
            if (table.root != kNoTree) table.row = find(table.root, state);
            if (table.row != before) replace(before, table.row);
        }
        touched_count_ = 0;
    }
    // Number of look-ups so far.
    std::uint64_t work() const { return work_; }

private:
    static constexpr std::int32_t kNoTree = -1;
    struct Table {
        std::uint32_t row;
        std::int32_t root = kNoTree;  // a branch
        std::uint32_t touched = 0;    // 1 if one of its variables has changed
    };
    struct Touched {
        std::uint32_t table, row;  // row of the last state
    };
    struct Variable {
        PackedField field;
        std::uint32_t size;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;  // table and stride; 0 for a tree
    };
    // Inner node of a multi-way tree: it tests one variable and has one child per value, so paths are shorter than in a
    // split tree.
    struct Branch {
        PackedField field;
        std::uint32_t first;  // index of its first child in children_
    };

    [[gnu::always_inline]] void note_changes(const Word* state) {
        for (std::size_t word = 0; word < last_.size(); ++word) {
            for (Word changed = (state[word] ^ last_[word]) & relevant_[word]; changed != 0;) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(changed));
                const auto& variable = variables_[variable_at_[word * kWordBits + bit]];
                changed &= ~variable.field.mask;
                touch(variable, variable.field.get(state) - variable.field.get(last_.data()));
            }
            last_[word] = state[word];
        }
    }
    void touch(const Variable& variable, Word difference) {
        for (const auto& [number, stride] : variable.uses) {
            auto& table = tables_[number];
            touched_[touched_count_] = {number, table.row};
            touched_count_ += 1 - table.touched;
            table.touched = 1;
            table.row += difference * stride;
        }
    }
    std::uint32_t find(std::int32_t branch, const Word* state) const {
        while (branch >= 0) {
            const Branch& at = branches_[static_cast<std::size_t>(branch)];
            branch = children_[at.first + at.field.get(state)];
        }
        return static_cast<std::uint32_t>(-1 - branch);
    }
    // Notes that the table to be added next depends on the variable.
    void add_use(std::uint32_t variable, std::uint32_t stride);
    void add_table(const Table& table);

    std::uint64_t work_ = 0;
    std::vector<Word> last_, relevant_;  // the last state, and the bits on which tables depend
    std::vector<Variable> variables_;
    std::vector<std::uint32_t> variable_at_;  // bit of a state -> its variable
    std::vector<Table> tables_;
    std::vector<Touched> touched_;  // one place per table, plus a dummy place for branch-free writes
    std::size_t touched_count_ = 0;
    std::vector<Branch> branches_;
    std::vector<std::int32_t> children_;  // a branch, or -1 - row
};

}  // namespace fsplan
