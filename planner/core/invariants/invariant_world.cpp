#include "invariants/invariant_world.hpp"

namespace fsplan::invariants {

World::World(const lifted::Task& lifted, const propositional::Task& task) {
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

bool World::covers(std::int32_t type, std::int32_t predicate, std::size_t position) const {
    const auto& seen = seen_[static_cast<std::size_t>(predicate)][position];
    const auto& member = member_[static_cast<std::size_t>(type)];
    for (std::size_t object = 0; object < seen.size(); ++object)
        if (seen[object] && !member[object]) return false;
    return true;
}

}  // namespace fsplan::invariants
