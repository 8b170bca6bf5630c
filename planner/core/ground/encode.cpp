#include "ground/encode.hpp"

#include "ground/simplify.hpp"
#include "ground/translate.hpp"
#include "ground/variables.hpp"

namespace fsplan {

GroundTask encode(const lifted::Task& lifted, const propositional::Task& task, const EncodeOptions& options) {
    MutexGroups groups;
    groups.groups_of.begin.assign(task.atom.size() + 1, 0);
    auto variables = choose_variables(task, groups);
    auto result = simplify(translate(lifted, task, groups, variables), options.only_relevant);
    stratify(result);
    return result;
}

}  // namespace fsplan
