#include "encode/variables.hpp"

#include "encode/context.hpp"
#include "encode/relevance.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

bool has_negative(std::span<const Literal> literals) {
    return std::ranges::any_of(literals, [](Literal literal) { return (literal & 1) != 0; });
}

// Finds the atoms whose negation is part of a condition and not implied by its other literals. The variables of these
// atoms need the value "none of those".
class NeededNegations {
public:
    NeededNegations(const propositional::Task& task, const MutexGroups& groups, const std::vector<std::uint8_t>& wanted)
        : task_(task), wanted_(wanted), context_(groups, task.atom.size()), needed_(task.atom.size()) {}

    std::vector<std::uint8_t> run() {
        for (std::size_t action = 0; action < task_.cost.size(); ++action) visit_action(action);
        for (std::size_t rule = 0; rule < task_.rule_head.size(); ++rule)
            if (wanted_[task_.rule_head[rule]]) visit(task_.rule_body[rule]);
        visit(task_.goal);
        return std::move(needed_);
    }

private:
    void visit_action(std::size_t action) {
        bool matters = false;
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
            if (!wanted_[task_.effect[e] >> 1]) continue;
            matters = true;
            auto condition = task_.effect_condition[e];
            if (!has_negative(condition)) continue;
            context_.clear();
            if (context_.assume(task_.precondition[action]) && context_.assume(condition)) mark(condition);
        }
        if (matters) visit(task_.precondition[action]);
    }

    void visit(std::span<const Literal> literals) {
        if (!has_negative(literals)) return;
        context_.clear();
        if (context_.assume(literals)) mark(literals);
    }

    void mark(std::span<const Literal> literals) {
        for (auto literal : literals)
            if ((literal & 1) != 0 && !context_.excluded(literal >> 1)) needed_[literal >> 1] = 1;
    }

    const propositional::Task& task_;
    const std::vector<std::uint8_t>& wanted_;
    Context context_;
    std::vector<std::uint8_t> needed_;
};

using Partition = std::vector<std::vector<std::uint32_t>>;

// Greedy cover: repeatedly chooses the group with the most uncovered atoms, until no group has two of them. Ties are
// broken in favour of a group without covered atoms that always has a true atom, because it needs no value "none of
// those"; then in favour of the lowest number or, if last_first, the highest.
class Cover {
public:
    Cover(const MutexGroups& groups, const std::vector<std::uint8_t>& exact, const std::vector<std::uint8_t>& separate)
        : groups_(groups), exact_(exact), covered_(separate) {
        for (std::uint32_t group = 0; group < groups.atoms.size(); ++group) {
            auto open = std::ranges::count_if(groups.atoms[group], [&](auto atom) { return !separate[atom]; });
            if (group == MutexGroups::kNever) open = 0;
            open_.push_back(static_cast<std::uint32_t>(open));
            if (open_.back() >= by_size_.size()) by_size_.resize(open_.back() + 1);
            by_size_[open_.back()].push_back(group);
        }
    }

    Partition run(bool last_first) {
        Partition chosen;
        for (auto size = by_size_.size(); size-- > 2;) {
            auto& groups = by_size_[size];
            std::ranges::sort(groups);
            if (last_first) std::ranges::reverse(groups);
            std::ranges::stable_partition(
                groups, [&](std::uint32_t g) { return exact_[g] && groups_.atoms[g].size() == size; });
            for (auto group : groups) {
                if (open_[group] == size) chosen.push_back(take(group));
                else by_size_[open_[group]].push_back(group);
            }
        }
        return chosen;
    }

    // Number of bits per state that the cover saves compared with one bit per atom.
    std::int64_t saved_bits() const { return saved_bits_; }

private:
    std::vector<std::uint32_t> take(std::uint32_t group) {
        std::vector<std::uint32_t> taken;
        for (auto atom : groups_.atoms[group]) {
            if (covered_[atom]) continue;
            covered_[atom] = 1;
            taken.push_back(atom);
            for (auto other : groups_.groups_of[atom]) --open_[other];
        }
        bool needs_none = !exact_[group] || taken.size() != groups_.atoms[group].size();
        saved_bits_ += static_cast<std::int64_t>(taken.size()) - std::bit_width(taken.size() - 1 + needs_none);
        return taken;
    }

    const MutexGroups& groups_;
    const std::vector<std::uint8_t>& exact_;
    std::vector<std::uint8_t> covered_;
    std::vector<std::uint32_t> open_;                  // group -> number of uncovered atoms
    std::vector<std::vector<std::uint32_t>> by_size_;  // n -> groups that had n uncovered atoms when last inserted
    std::int64_t saved_bits_ = 0;
};

Partition best_cover(const MutexGroups& groups, const std::vector<std::uint8_t>& exact,
                     const std::vector<std::uint8_t>& separate) {
    Cover forward(groups, exact, separate), backward(groups, exact, separate);
    auto first = forward.run(false), second = backward.run(true);
    return forward.saved_bits() >= backward.saved_bits() ? first : second;
}

std::vector<std::uint32_t> find_twins(const MutexGroups& groups, const std::vector<std::uint8_t>& exact,
                                      const std::vector<std::uint8_t>& wanted) {
    std::vector<std::uint32_t> twin(wanted.size(), kNoTwin);
    for (std::size_t group = 0; group < groups.atoms.size(); ++group) {
        auto atoms = groups.atoms[group];
        if (!exact[group] || atoms.size() != 2 || !wanted[atoms[0]] || !wanted[atoms[1]]) continue;
        twin[atoms[0]] = atoms[1];
        twin[atoms[1]] = atoms[0];
    }
    return twin;
}

Variables number(Partition chosen, const std::vector<std::uint8_t>& wanted) {
    std::vector<std::uint8_t> covered(wanted.size());
    for (const auto& group : chosen)
        for (auto atom : group) covered[atom] = 1;
    for (std::uint32_t atom = 0; atom < wanted.size(); ++atom)
        if (wanted[atom] && !covered[atom]) chosen.push_back({atom});
    std::ranges::sort(chosen);
    Variables variables;
    variables.variable.resize(wanted.size(), kNoVariable);
    variables.value.resize(wanted.size());
    for (const auto& group : chosen) {
        for (std::uint32_t value = 0; value < group.size(); ++value) {
            variables.members.items.push_back(group[value]);
            variables.variable[group[value]] = static_cast<std::uint32_t>(variables.members.size());
            variables.value[group[value]] = value;
        }
        variables.members.end_row();
    }
    return variables;
}

}  // namespace

std::vector<std::uint8_t> relevant_atoms(const propositional::Task& task,
                                         const std::vector<std::uint8_t>& needed_rules) {
    auto node_of = [](Literal literal) { return literal >> 1; };
    auto of_effect = [&](std::size_t e) { return task.effect[e] >> 1; };
    auto of_rule = [&](std::size_t r) { return needed_rules[r] ? task.rule_head[r] : kIgnored; };
    return Relevance(task, task.atom.size(), node_of, of_effect, of_rule).run();
}

Variables choose_variables(const propositional::Task& task, const MutexGroups& groups,
                           const std::vector<std::uint8_t>& exact, const std::vector<std::uint8_t>& wanted) {
    auto twin = find_twins(groups, exact, wanted);
    auto separate = NeededNegations(task, groups, wanted).run();
    for (std::size_t atom = 0; atom < wanted.size(); ++atom)
        separate[atom] = !wanted[atom] || (separate[atom] && twin[atom] == kNoTwin);
    auto variables = number(best_cover(groups, exact, separate), wanted);
    variables.twin = std::move(twin);
    return variables;
}

}  // namespace fsplan
