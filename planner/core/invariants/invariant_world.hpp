// Information about predicates, types and objects that proofs of invariants use.
#pragma once

#include "instantiate/propositional.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan::invariants {

class World {
public:
    World(const lifted::Task& lifted, const propositional::Task& task) {
        auto types = lifted.objects_of_type.size();
        member_.assign(types, std::vector<std::uint8_t>(lifted.objects.size()));
        size_.resize(types);
        shared_.resize(types * types);
        for (std::size_t type = 0; type < types; ++type) {
            for (auto object : lifted.objects_of_type[type]) member_[type][static_cast<std::size_t>(object)] = 1;
            size_[type] = static_cast<std::uint32_t>(lifted.objects_of_type[type].size());
        }
        for (std::size_t a = 0; a < types; ++a)
            for (std::size_t b = 0; b < types; ++b)
                for (auto object : lifted.objects_of_type[b])
                    shared_[a * types + b] += member_[a][static_cast<std::size_t>(object)];
        for (const auto& predicate : lifted.predicates) changes_.push_back(predicate.fluent && !predicate.derived);
        seen_.resize(lifted.predicates.size());
        for (std::size_t p = 0; p < lifted.predicates.size(); ++p)
            seen_[p].assign(static_cast<std::size_t>(lifted.predicates[p].arity),
                            std::vector<std::uint8_t>(lifted.objects.size()));
        for (std::size_t i = 0; i < task.atom.size(); ++i) {
            auto atom = task.atom[i];
            for (std::size_t position = 1; position < atom.size(); ++position)
                seen_[atom[0]][position - 1][atom[position]] = 1;
        }
    }

    bool changes(std::int32_t predicate) const {
        return predicate >= 0 && changes_[static_cast<std::size_t>(predicate)] != 0;
    }
    bool has(std::int32_t type, std::int32_t object) const { return member_[type][object] != 0; }
    bool disjoint(std::int32_t a, std::int32_t b) const { return shared(a, b) == 0; }
    bool contains(std::int32_t outer, std::int32_t inner) const { return shared(outer, inner) == size_[inner]; }
    // Whether every object at this position of a reachable atom of the predicate has the type.
    bool covers(std::int32_t type, std::int32_t predicate, std::size_t position) const {
        const auto& seen = seen_[static_cast<std::size_t>(predicate)][position];
        const auto& member = member_[static_cast<std::size_t>(type)];
        for (std::size_t object = 0; object < seen.size(); ++object)
            if (seen[object] && !member[object]) return false;
        return true;
    }

private:
    std::uint32_t shared(std::int32_t a, std::int32_t b) const {
        return shared_[static_cast<std::size_t>(a) * size_.size() + static_cast<std::size_t>(b)];
    }

    std::vector<std::uint8_t> changes_;              // predicate -> whether actions (not rules) change it
    std::vector<std::vector<std::uint8_t>> member_;  // type -> object -> whether the object has the type
    std::vector<std::uint32_t> size_;                // per type
    std::vector<std::uint32_t> shared_;              // matrix over pairs of types: number of common objects
    // Predicate -> position -> object -> whether some reachable atom has the object at this position.
    std::vector<std::vector<std::vector<std::uint8_t>>> seen_;
};

}  // namespace fsplan::invariants
