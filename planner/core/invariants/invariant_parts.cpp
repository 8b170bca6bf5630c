#include "invariants/invariant_parts.hpp"

namespace fsplan::invariants {

namespace {

// Finds all ways to assign the remaining parameters to arguments such that at most one argument, the counted one, has
// no parameter.
void lay_parameters(std::span<const Term> arguments, std::span<const Term> parameters, Part& part,
                    std::vector<Part>& parts) {
    if (part.size() == parameters.size()) {
        parts.push_back(part);
        for (std::size_t position = 0; position < arguments.size(); ++position)
            if (!part.uses(position)) parts.back().count(position);
        return;
    }
    for (std::size_t position = 0; position < arguments.size(); ++position) {
        if (part.uses(position) || arguments[position] != parameters[part.size()]) continue;
        part.push(position);
        lay_parameters(arguments, parameters, part, parts);
        part.pop();
    }
}

}  // namespace

void find_parts(std::span<const Term> arguments, std::int32_t predicate, const Instance& instance,
                std::vector<Part>& parts) {
    auto count = instance.parameters.size();
    if (arguments.size() < count || arguments.size() > count + 1 || instance.parts.find(predicate)) return;
    Part part;
    part.predicate = predicate;
    lay_parameters(arguments, instance.parameters, part, parts);
}

}  // namespace fsplan::invariants
