#include "invariants/mutex.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

// Finds the groups of which some action can delete the true atom without adding another one.
class Replacements {
public:
    Replacements(const propositional::Task& task, const MutexGroups& groups, std::vector<std::uint8_t>& exact)
        : task_(task), groups_(groups), exact_(exact), added_(groups.atoms.size(), kNoAction) {}

    void visit(std::uint32_t action) {
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
            if ((task_.effect[e] & 1) == 0 && task_.effect_condition[e].empty())
                for (auto group : groups_.groups_of[task_.effect[e] >> 1]) added_[group] = action;
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
            if ((task_.effect[e] & 1) != 0)
                for (auto group : groups_.groups_of[task_.effect[e] >> 1])
                    if (added_[group] != action && exact_[group] && !replaced(action, e, group)) exact_[group] = 0;
    }

private:
    bool contains(std::uint32_t group, std::uint32_t atom) const {
        return std::ranges::binary_search(groups_.atoms[group], atom);
    }

    // Whether the action adds an atom of the group whenever the delete effect makes one false.
    bool replaced(std::uint32_t action, std::uint32_t deletion, std::uint32_t group) const {
        auto atom = task_.effect[deletion] >> 1;
        auto precondition = task_.precondition[action];
        auto given = [&](Literal literal) {
            auto among = [&](auto literals) { return std::ranges::find(literals, literal) != literals.end(); };
            return literal == 2 * atom || among(precondition) || among(task_.effect_condition[deletion]);
        };
        auto other_holds = [&](Literal literal) {
            return (literal & 1) == 0 && literal != 2 * atom && contains(group, literal >> 1);
        };
        if (std::ranges::any_of(precondition, other_holds)) return true;
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
            if ((task_.effect[e] & 1) == 0 && contains(group, task_.effect[e] >> 1) &&
                std::ranges::all_of(task_.effect_condition[e], given))
                return true;
        return false;
    }

    const propositional::Task& task_;
    const MutexGroups& groups_;
    std::vector<std::uint8_t>& exact_;
    std::vector<std::uint32_t> added_;  // group -> the last visited action that certainly adds one of its atoms
};

}  // namespace

std::vector<std::uint8_t> exactly_one(const propositional::Task& task, const MutexGroups& groups) {
    std::vector<std::uint8_t> exact(groups.atoms.size());
    for (auto atom : task.initial)
        for (auto group : groups.groups_of[atom]) exact[group] = 1;
    Replacements replacements(task, groups, exact);
    for (std::uint32_t action = 0; action < task.cost.size(); ++action) replacements.visit(action);
    return exact;
}

}  // namespace fsplan
