#include "encode/encode.hpp"

#include "encode/rules.hpp"
#include "encode/simplify.hpp"
#include "encode/translate.hpp"
#include "encode/variables.hpp"
#include "invariants/mutex.hpp"

namespace fsplan {

GroundTask encode(const lifted::Task& lifted, const propositional::Task& task, Budget& watch,
                  const EncodeOptions& options) {
    auto groups = options.mutex_groups ? find_mutex_groups(lifted, task, watch) : no_mutex_groups(task);
    watch.look();
    auto rules = needed_rules(task);
    watch.look();
    std::vector<std::uint8_t> wanted(task.atom.size(), 1);
    if (options.only_relevant) wanted = relevant_atoms(task, rules);
    watch.look();
    auto variables = choose_variables(task, groups, wanted);
    watch.look();
    auto translation = translate(lifted, task, groups, variables, rules, watch);
    watch.look();
    auto result = simplify(std::move(translation), options.only_relevant);
    watch.look();
    stratify(result);
    return result;
}

}  // namespace fsplan
