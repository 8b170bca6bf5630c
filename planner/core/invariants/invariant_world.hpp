// Facts about predicates, types and objects for the proofs of invariants.
#pragma once

#include <cstdint>
#include <vector>

#include "instantiate/propositional.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan::invariants {

class World {
public:
    World(const lifted::Task& lifted, const propositional::Task& task);

    bool changes(std::int32_t predicate) const {
        return predicate >= 0 && changes_[static_cast<std::size_t>(predicate)] != 0;
    }
    bool has(std::int32_t type, std::int32_t object) const { return member_[type][object] != 0; }
    bool disjoint(std::int32_t a, std::int32_t b) const { return shared(a, b) == 0; }
    bool contains(std::int32_t outer, std::int32_t inner) const { return shared(outer, inner) == size_[inner]; }
    // Whether every object at this position of a reachable atom of the predicate has the type.
    bool covers(std::int32_t type, std::int32_t predicate, std::size_t position) const;

private:
    std::uint32_t shared(std::int32_t a, std::int32_t b) const {
        return shared_[static_cast<std::size_t>(a) * size_.size() + static_cast<std::size_t>(b)];
    }

    std::vector<std::uint8_t> changes_;              // predicate -> whether actions (not rules) change it
    std::vector<std::vector<std::uint8_t>> member_;  // type -> object -> membership
    std::vector<std::uint32_t> size_;                // per type
    std::vector<std::uint32_t> shared_;              // pairs of types: number of common objects
    // Predicate -> position -> object -> occurs in a reachable atom.
    std::vector<std::vector<std::vector<std::uint8_t>>> seen_;
};

}  // namespace fsplan::invariants
