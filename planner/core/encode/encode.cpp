#include "encode/encode.hpp"

#include "encode/rules.hpp"
#include "encode/simplify.hpp"
#include "encode/translate.hpp"
#include "encode/variables.hpp"
#include "invariants/mutex.hpp"

namespace fsplan {

namespace {

NamedGroups named_groups(const lifted::Task& lifted, const propositional::Task& task, MutexGroups groups,
                         std::vector<std::uint8_t> exact) {
    NamedGroups result{task.atom, std::move(groups.atoms), std::move(exact)};
    const auto first_object = static_cast<std::uint32_t>(lifted.predicates.size() + lifted.schemas.size());
    auto& [begin, symbols] = result.atom;
    for (std::size_t atom = 0; atom < result.atom.size(); ++atom)
        for (auto i = begin[atom] + 1; i < begin[atom + 1]; ++i) symbols[i] += first_object;
    return result;
}

}  // namespace

GroundTask encode(const lifted::Task& lifted, const propositional::Task& task, Budget& watch,
                  const EncodeOptions& options) {
    auto groups = options.mutex_groups ? find_mutex_groups(lifted, task, watch) : no_mutex_groups(task);
    watch.look();
    auto rules = needed_rules(task);
    watch.look();
    std::vector<std::uint8_t> wanted(task.atom.size(), 1);
    if (options.only_relevant) wanted = relevant_atoms(task, rules);
    watch.look();
    auto exact = exactly_one(task, groups);
    auto variables = choose_variables(task, groups, exact, wanted);
    watch.look();
    auto translation = translate(lifted, task, groups, variables, rules, watch);
    watch.look();
    auto result = simplify(std::move(translation), options.only_relevant);
    watch.look();
    stratify(result);
    if (options.mutex_groups)
        result.mutex_groups =
            std::make_shared<NamedGroups>(named_groups(lifted, task, std::move(groups), std::move(exact)));
    return result;
}

}  // namespace fsplan
