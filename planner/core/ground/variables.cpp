#include "ground/variables.hpp"

#include <algorithm>

#include "ground/context.hpp"
#include "ground/relevance.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

bool has_negative(std::span<const Literal> literals) {
    return std::ranges::any_of(literals, [](Literal literal) { return (literal & 1) != 0; });
}

// The atoms whose negation some condition asks for without implying it: "not this value" has to be a value itself.
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

Variables number(std::vector<std::vector<std::uint32_t>> chosen, const std::vector<std::uint8_t>& wanted) {
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

std::vector<std::uint8_t> relevant_atoms(const propositional::Task& task) {
    auto node_of = [](Literal literal) { return literal >> 1; };
    auto possible = [](std::size_t) { return true; };
    auto head = [&](std::size_t rule) { return task.rule_head[rule]; };
    return Relevance(task, task.atom.size(), node_of, possible, head).run();
}

Variables choose_variables(const propositional::Task& task, const MutexGroups& groups,
                           const std::vector<std::uint8_t>& wanted) {
    auto excluded = NeededNegations(task, groups, wanted).run();
    for (std::size_t atom = 0; atom < wanted.size(); ++atom)
        if (!wanted[atom]) excluded[atom] = 1;
    return number(Cover(groups, std::move(excluded)).run(), wanted);
}

}  // namespace fsplan
