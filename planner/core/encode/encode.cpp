#include "encode/encode.hpp"

#include "encode/rules.hpp"
#include "encode/simplify.hpp"
#include "encode/translate.hpp"
#include "encode/variables.hpp"
#include "invariants/mutex.hpp"

namespace fsplan {

GroundTask encode(const lifted::Task& lifted, const propositional::Task& task, WorkWatch& watch,
                  const EncodeOptions& options) {
    auto groups = options.mutex_groups ? find_mutex_groups(lifted, task, watch) : no_mutex_groups(task);
    auto rules = needed_rules(task);
    std::vector<std::uint8_t> wanted(task.atom.size(), 1);
    if (options.only_relevant) wanted = relevant_atoms(task, rules);
    auto variables = choose_variables(task, groups, wanted);
    auto result = simplify(translate(lifted, task, groups, variables, rules, watch), options.only_relevant);
    stratify(result);
    return result;
}

}  // namespace fsplan
