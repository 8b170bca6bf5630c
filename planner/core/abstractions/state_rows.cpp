#include "abstractions/state_rows.hpp"

#include "containers/sorted.hpp"

namespace fsplan {

StateRows::StateRows(const GroundTask& task, const Layout& layout)
    : last_(layout.stored_words), relevant_(layout.stored_words), variable_at_(layout.stored_words * kWordBits) {
    for (std::uint32_t v = 0; v < task.variable_count(); ++v) {
        const auto& field = layout.field[v];
        variables_.push_back({field, static_cast<std::uint32_t>(task.domain_size[v]), {}});
        if (task.layer[v] >= 0) continue;
        for (Word rest = field.mask; rest != 0; rest &= rest - 1)
            variable_at_[field.word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(rest))] = v;
    }
}

void StateRows::add_use(std::uint32_t variable, std::uint32_t stride) {
    auto& each = variables_[variable];
    each.uses.emplace_back(static_cast<std::uint32_t>(tables_.size()), stride);
    relevant_[each.field.word] |= each.field.mask;
}

void StateRows::add_table(const Table& table) {
    tables_.push_back(table);
    touched_.resize(tables_.size() + 1);
}

void StateRows::add_projection(const VariablePattern& pattern, std::size_t first) {
    std::uint32_t stride = 1;
    for (auto variable : pattern) {
        add_use(variable, stride);
        stride *= variables_[variable].size;
    }
    add_table({static_cast<std::uint32_t>(first)});
}

void StateRows::add_tree(const SplitTree& splits, std::size_t first) {
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
            children_.push_back(at >= 0 ? branch[static_cast<std::size_t>(at)] : at - static_cast<std::int32_t>(first));
        }
    }
    sort_unique(tested);
    for (auto variable : tested) add_use(variable, 0);
    add_table({find(root, last_.data()), root});
}

}  // namespace fsplan
