// A set of literals that are assumed to hold, and the atoms that mutex groups exclude then.
#pragma once

#include "instantiate/propositional.hpp"
#include "invariants/mutex.hpp"

namespace fsplan {

class Context {
public:
    using Literal = propositional::Literal;

    Context(const MutexGroups& groups, std::size_t atoms)
        : groups_(groups), known_(atoms, Known::nothing), holder_(groups.atoms.size(), kNobody) {
        holder_[MutexGroups::kNever] = kSomebody;
    }

    // Adds the literals to the assumptions; returns false if they contradict each other. In both cases undo(mark) retracts them.
    bool assume(std::span<const Literal> literals) {
        bool consistent = true;
        for (auto literal : literals) consistent = consistent && add(literal);
        return consistent;
    }

    bool holds(std::uint32_t atom) const { return known_[atom] == Known::holds; }

    // Whether this atom is false because another atom of one of its mutex groups is known to be true.
    bool excluded(std::uint32_t atom) const {
        for (auto group : groups_.groups_of[atom])
            if (holder_[group] != kNobody && holder_[group] != atom) return true;
        return false;
    }

    bool implies(Literal literal) const {
        auto atom = literal >> 1;
        if ((literal & 1) == 0) return holds(atom);
        return known_[atom] == Known::fails || excluded(atom);
    }

    std::size_t mark() const { return trail_.size(); }

    void undo(std::size_t mark) {
        for (; trail_.size() > mark; trail_.pop_back()) {
            auto atom = trail_.back();
            if (holds(atom))
                for (auto group : groups_.groups_of[atom])
                    if (holder_[group] == atom) holder_[group] = kNobody;
            known_[atom] = Known::nothing;
        }
    }

    void clear() { undo(0); }

private:
    enum class Known : std::uint8_t { nothing, holds, fails };
    static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    static constexpr std::uint32_t kSomebody = kNobody - 1;

    bool add(Literal literal) {
        auto atom = literal >> 1;
        auto wanted = (literal & 1) == 0 ? Known::holds : Known::fails;
        if (known_[atom] != Known::nothing) return known_[atom] == wanted;
        if (wanted == Known::holds && excluded(atom)) return false;
        known_[atom] = wanted;
        trail_.push_back(atom);
        if (wanted == Known::holds)
            for (auto group : groups_.groups_of[atom]) holder_[group] = atom;
        return true;
    }

    const MutexGroups& groups_;
    std::vector<Known> known_;           // atom -> true, false or unknown
    std::vector<std::uint32_t> holder_;  // group -> its true atom, if known
    std::vector<std::uint32_t> trail_;   // atoms in the order of assumption
};

}  // namespace fsplan
