#include "invariants/mutex.hpp"

#include "invariants/invariants.hpp"

namespace fsplan {

namespace {

using invariants::Invariant;
using invariants::Part;

// The parameters of an instance, encoded as one number.
using InstanceKey = std::uint64_t;

class Instances {
public:
    Instances(const lifted::Task& lifted, const propositional::Task& task) : lifted_(lifted), task_(task) {
        Rows predicate;
        for (std::size_t atom = 0; atom < task.atom.size(); ++atom) {
            predicate.items.push_back(task.atom[atom][0]);
            predicate.end_row();
        }
        atoms_of_predicate_ = transpose(predicate, lifted.predicates.size());
        never_.resize(task.atom.size());
    }

    void add(const Invariant& invariant) {
        if (!keys_fit(invariant)) return;
        collect(invariant);
        for (std::size_t i = 0, j; i < members_.size(); i = j) {
            auto key = members_[i].first;
            for (j = i; j < members_.size() && members_[j].first == key;) ++j;
            auto [begin, end] = std::ranges::equal_range(initial_, key);
            auto weight = end - begin;
            if (weight == 0 && invariant.never_rises)
                for (auto k = i; k < j; ++k) never_[members_[k].second] = 1;
            else if (weight <= 1 && j - i > 1) add_group(i, j);
        }
    }

    MutexGroups result() {
        MutexGroups groups;
        for (std::uint32_t atom = 0; atom < never_.size(); ++atom)
            if (never_[atom]) groups.atoms.items.push_back(atom);
        groups.atoms.end_row();
        for (auto group : maximal_groups()) {
            groups.atoms.items.insert(groups.atoms.items.end(), groups_[group].begin(), groups_[group].end());
            groups.atoms.end_row();
        }
        groups.groups_of = transpose(groups.atoms, task_.atom.size());
        return groups;
    }

private:
    // The groups that are not subsets of others, in lexicographic order.
    std::vector<std::uint32_t> maximal_groups() const {
        std::vector<std::uint32_t> order(groups_.size()), maximal;
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, std::greater{}, [&](auto group) { return groups_[group].size(); });
        std::vector<std::vector<std::uint32_t>> maximal_of(task_.atom.size());
        for (auto group : order) {
            auto atoms = groups_[group];
            auto fewest = *std::ranges::min_element(atoms, {}, [&](auto atom) { return maximal_of[atom].size(); });
            if (std::ranges::any_of(maximal_of[fewest],
                                    [&](auto other) { return std::ranges::includes(groups_[other], atoms); }))
                continue;
            maximal.push_back(group);
            for (auto atom : atoms) maximal_of[atom].push_back(group);
        }
        std::ranges::sort(maximal,
                          [&](auto a, auto b) { return std::ranges::lexicographical_compare(groups_[a], groups_[b]); });
        return maximal;
    }

    bool keys_fit(const Invariant& invariant) const {
        auto room = std::numeric_limits<InstanceKey>::max();
        for (std::size_t i = 0; i < invariant.parts[0].size(); ++i) room /= lifted_.objects.size();
        return room > 0;
    }

    template <class Arguments>
    InstanceKey key(const Part& part, const Arguments& arguments) const {
        InstanceKey key = 0;
        for (std::size_t i = 0; i < part.size(); ++i)
            key = key * lifted_.objects.size() + static_cast<InstanceKey>(arguments[part[i]]);
        return key;
    }

    void collect(const Invariant& invariant) {
        members_.clear();
        initial_.clear();
        for (const auto& part : invariant.parts) {
            auto predicate = static_cast<std::size_t>(part.predicate);
            for (auto atom : atoms_of_predicate_[predicate])
                members_.emplace_back(key(part, task_.atom[atom].subspan(1)), atom);
            auto arity = static_cast<std::size_t>(lifted_.predicates[predicate].arity);
            std::span<const std::int32_t> rows = lifted_.init[predicate].rows;
            if (arity == 0 && initially(predicate)) initial_.push_back(0);
            for (; arity > 0 && !rows.empty(); rows = rows.subspan(arity))
                initial_.push_back(key(part, rows.first(arity)));
        }
        std::ranges::sort(members_);
        std::ranges::sort(initial_);
    }

    // Nullary predicates store no row; look up the atom instead.
    bool initially(std::size_t predicate) const {
        auto atoms = atoms_of_predicate_[predicate];
        return !atoms.empty() && std::ranges::binary_search(task_.initial, atoms[0]);
    }

    void add_group(std::size_t begin, std::size_t end) {
        for (auto k = begin; k < end; ++k) groups_.items.push_back(members_[k].second);
        groups_.end_row();
    }

    const lifted::Task& lifted_;
    const propositional::Task& task_;
    Rows atoms_of_predicate_;
    std::vector<std::pair<InstanceKey, std::uint32_t>> members_;  // sorted pairs (instance, atom) of one invariant
    std::vector<InstanceKey> initial_;                            // instances of the atoms of the initial state
    std::vector<std::uint8_t> never_;
    Rows groups_;
};

}  // namespace

MutexGroups find_mutex_groups(const lifted::Task& lifted, const propositional::Task& task, Budget& watch) {
    Instances instances(lifted, task);
    for (const auto& invariant : invariants::find_invariants(lifted, task, watch)) instances.add(invariant);
    return instances.result();
}

MutexGroups no_mutex_groups(const propositional::Task& task) {
    MutexGroups groups;
    groups.atoms.end_row();
    groups.groups_of.begin.assign(task.atom.size() + 1, 0);
    return groups;
}

}  // namespace fsplan
