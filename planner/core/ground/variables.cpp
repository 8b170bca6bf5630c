#include "ground/variables.hpp"

#include <algorithm>

#include "ground/context.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

bool has_negative(std::span<const Literal> literals) {
    return std::ranges::any_of(literals, [](Literal literal) { return (literal & 1) != 0; });
}

// The atoms whose negation some condition asks for without implying it: "not this value" has to be a value itself.
class NeededNegations {
public:
    NeededNegations(const propositional::Task& task, const MutexGroups& groups)
        : task_(task), context_(groups, task.atom.size()), needed_(task.atom.size()) {}

    std::vector<std::uint8_t> run() {
        for (std::size_t action = 0; action < task_.cost.size(); ++action) visit_action(action);
        for (std::size_t rule = 0; rule < task_.rule_head.size(); ++rule) visit(task_.rule_body[rule]);
        visit(task_.goal);
        return std::move(needed_);
    }

private:
    void visit_action(std::size_t action) {
        visit(task_.precondition[action]);
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
            auto condition = task_.effect_condition[e];
            if (!has_negative(condition)) continue;
            context_.clear();
            if (context_.assume(task_.precondition[action]) && context_.assume(condition)) mark(condition);
        }
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
    Context context_;
    std::vector<std::uint8_t> needed_;
};

// Picks the group with the most atoms not yet covered, the first of these, until no group has two.
class Cover {
public:
    Cover(const MutexGroups& groups, std::vector<std::uint8_t> covered) : groups_(groups), covered_(std::move(covered)) {
        for (std::uint32_t group = 0; group < groups.atoms.size(); ++group) {
            open_.push_back(static_cast<std::uint32_t>(std::ranges::count_if(groups.atoms[group], [&](auto a) { return !covered_[a]; })));
            if (group == MutexGroups::kNever) open_.back() = 0;
            if (open_.back() >= by_size_.size()) by_size_.resize(open_.back() + 1);
            by_size_[open_.back()].push_back(group);
        }
    }

    std::vector<std::vector<std::uint32_t>> run() {
        std::vector<std::vector<std::uint32_t>> chosen;
        for (auto size = by_size_.size(); size-- > 2;) {
            std::ranges::sort(by_size_[size]);
            for (auto group : by_size_[size]) {
                if (open_[group] == size)
                    chosen.push_back(take(group));
                else
                    by_size_[open_[group]].push_back(group);
            }
        }
        return chosen;
    }

private:
    std::vector<std::uint32_t> take(std::uint32_t group) {
        std::vector<std::uint32_t> taken;
        for (auto atom : groups_.atoms[group]) {
            if (covered_[atom]) continue;
            covered_[atom] = 1;
            taken.push_back(atom);
            for (auto other : groups_.groups_of[atom]) --open_[other];
        }
        return taken;
    }

    const MutexGroups& groups_;
    std::vector<std::uint8_t> covered_;
    std::vector<std::uint32_t> open_;                   // group -> atoms not covered
    std::vector<std::vector<std::uint32_t>> by_size_;   // groups by an upper bound of that
};

Variables number(std::vector<std::vector<std::uint32_t>> chosen, std::size_t atoms) {
    std::vector<std::uint8_t> covered(atoms);
    for (const auto& group : chosen)
        for (auto atom : group) covered[atom] = 1;
    for (std::uint32_t atom = 0; atom < atoms; ++atom)
        if (!covered[atom]) chosen.push_back({atom});
    std::ranges::sort(chosen);
    Variables variables;
    variables.variable.resize(atoms);
    variables.value.resize(atoms);
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

Variables choose_variables(const propositional::Task& task, const MutexGroups& groups) {
    auto binary = NeededNegations(task, groups).run();
    return number(Cover(groups, std::move(binary)).run(), task.atom.size());
}

}  // namespace fsplan
