#include "instantiate/instantiate.hpp"

#include "instantiate/fixpoint.hpp"
#include "instantiate/instantiation.hpp"

namespace fsplan {

void Instantiation::number_atoms() {
    atom_of.resize(task.predicates.size());
    for (std::int32_t p = 0; p < program.predicates(); ++p) {
        if (!program.live(p)) continue;
        number_atoms(p);
        add_initial(p);
    }
    std::ranges::sort(result.initial);
}

void Instantiation::number_atoms(std::int32_t predicate) {
    const auto& relation = program.relation(predicate);
    auto arity = relation.arity();
    std::vector<Relation::Row> order(relation.size());
    std::iota(order.begin(), order.end(), Relation::Row{0});
    std::ranges::sort(order, [&](auto a, auto b) {
        return std::lexicographical_compare(relation.row(a), relation.row(a) + arity, relation.row(b),
                                            relation.row(b) + arity);
    });
    auto& numbers = atom_of[static_cast<std::size_t>(predicate)];
    numbers.resize(relation.size());
    for (auto row : order) {
        numbers[row] = static_cast<std::uint32_t>(result.atom.size());
        result.atom.items.push_back(static_cast<std::uint32_t>(predicate));
        result.atom.items.insert(result.atom.items.end(), relation.row(row), relation.row(row) + arity);
        result.atom.end_row();
        result.derived.push_back(task.predicates[static_cast<std::size_t>(predicate)].derived);
    }
}

// Derived atoms that are listed in the initial state are true in every state.
void Instantiation::add_initial(std::int32_t predicate) {
    const auto& numbers = atom_of[static_cast<std::size_t>(predicate)];
    bool derived = task.predicates[static_cast<std::size_t>(predicate)].derived;
    for (Relation::Row row = 0; row < program.initial_rows(predicate); ++row) {
        if (derived) rules.push_back({numbers[row], {}});
        else result.initial.push_back(numbers[row]);
    }
}

std::uint32_t Instantiation::name(const Alternatives& alternatives) {
    auto atom = static_cast<std::uint32_t>(result.atom.size());
    result.atom.items.push_back(static_cast<std::uint32_t>(task.predicates.size()));
    result.atom.end_row();
    result.derived.push_back(1);
    task.predicates.push_back({"choice@" + std::to_string(choices_++), 0, false, true});
    task.init.emplace_back();
    for (const auto& alternative : alternatives) rules.push_back({atom, alternative});
    return atom;
}

propositional::Task instantiate(lifted::Task& task, Budget& watch, std::size_t most_actions) {
    Instantiation instantiation(task, watch);
    instantiation.program.most_actions = most_actions;
    reach(instantiation.program);
    instantiation.number_atoms();
    emit_actions(instantiation);
    emit_goal_and_rules(instantiation);
    return std::move(instantiation.result);
}

}  // namespace fsplan
