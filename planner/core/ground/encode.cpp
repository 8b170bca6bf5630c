#include "ground/encode.hpp"

#include "ground/mutex.hpp"
#include "ground/simplify.hpp"
#include "ground/translate.hpp"
#include "ground/variables.hpp"

namespace fsplan {

GroundTask encode(const lifted::Task& lifted, const propositional::Task& task, const EncodeOptions& options) {
    auto groups = options.mutex_groups ? find_mutex_groups(lifted, task) : no_mutex_groups(task);
    auto variables = choose_variables(task, groups);
    auto result = simplify(translate(lifted, task, groups, variables), options.only_relevant);
    stratify(result);
    return result;
}

}  // namespace fsplan
