// Finds the row of each table that a state selects. Consecutive states mostly differ in a few variables, so the rows of
// the last state are stored, and only tables that depend on a changed variable are updated.
#pragma once

#include "abstractions/abstraction.hpp"
#include "containers/sorted.hpp"
#include "task/layout.hpp"

namespace fsplan {

class StateRows {
public:
    StateRows(const GroundTask& task, const Layout& layout)
        : last_(layout.stored_words), relevant_(layout.stored_words), variable_at_(layout.stored_words * kWordBits) {
        for (std::uint32_t v = 0; v < task.variable_count(); ++v) {
            const auto& field = layout.field[v];
            variables_.push_back({field, static_cast<std::uint32_t>(task.domain_size[v]), {}});
            if (task.layer[v] >= 0) continue;
            for (Word rest = field.mask; rest != 0; rest &= rest - 1)
                variable_at_[field.word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(rest))] = v;
        }
    }

    // Adds a table over the values of some variables: the row is first + Σ value · stride, and the strides are 1, the
    // first variable's number of values, and so on.
    void add_projection(const VariablePattern& pattern, std::size_t first) {
        std::uint32_t stride = 1;
        for (auto variable : pattern) {
            add_use(variable, stride);
            stride *= variables_[variable].size;
        }
        add_table({static_cast<std::uint32_t>(first)});
    }
    // Adds a table over the states of a Cartesian abstraction: the row is first + the abstract state.
    void add_tree(const SplitTree& splits, std::size_t first) {
        if (splits.empty()) return add_table({static_cast<std::uint32_t>(first)});
        const auto root = static_cast<std::int32_t>(branches_.size());
        std::vector<std::int32_t> nodes{0};                         // branch -> node of the split tree
        std::vector<std::int32_t> branch(splits.node_count(), -1);  // node -> branch, or -1
        branch[0] = root;
        std::vector<std::uint32_t> tested;
        for (std::size_t next = 0; next < nodes.size(); ++next) {
            const auto variable = splits.variable(nodes[next]);
            tested.push_back(variable);
            branches_.push_back({variables_[variable].field, static_cast<std::uint32_t>(children_.size())});
            for (std::uint32_t value = 0; value < variables_[variable].size; ++value) {
                auto at = nodes[next];
                while (at >= 0 && splits.variable(at) == variable) at = splits.next(at, value);
                if (at >= 0 && branch[static_cast<std::size_t>(at)] < 0) {
                    branch[static_cast<std::size_t>(at)] = root + static_cast<std::int32_t>(nodes.size());
                    nodes.push_back(at);
                }
                children_.push_back(at >= 0 ? branch[static_cast<std::size_t>(at)]
                                            : at - static_cast<std::int32_t>(first));
            }
        }
        sort_unique(tested);
        for (auto variable : tested) add_use(variable, 0);
        add_table({find(root, last_.data()), root});
    }

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
        std::uint32_t table, row;  // the row is that of the last state
    };
    struct Variable {
        PackedField field;
        std::uint32_t size;
        // (table that reads the variable, stride of the variable in it); the stride is 0 for tables with a tree.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
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
    // Records that the table to be added next depends on the variable.
    void add_use(std::uint32_t variable, std::uint32_t stride) {
        auto& each = variables_[variable];
        each.uses.emplace_back(static_cast<std::uint32_t>(tables_.size()), stride);
        relevant_[each.field.word] |= each.field.mask;
    }
    void add_table(const Table& table) {
        tables_.push_back(table);
        touched_.resize(tables_.size() + 1);
    }

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
