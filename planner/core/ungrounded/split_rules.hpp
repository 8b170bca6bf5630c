// Splits rules into smaller ones that have fewer instances in total.
//
// A variable that does not occur in the head is projected out: the literals that contain it become the body of a rule
// for an auxiliary predicate over their other variables. For example, "in(p, v) if at(p, l), at(v, l), free(s), size(v,
// s)" becomes "in(p, v) if near(p, v), fits(v)", "near(p, v) if at(p, l), at(v, l)" and "fits(v) if free(s), size(v,
// s)". These rules have far fewer instances than the original rule, whose instances are the ground actions.
#pragma once

#include "lifted/lifted_task.hpp"

namespace fsplan {

// Adds the rule to the task, split as far as that is useful. Constraints are not supported.
void add_split_rule(lifted::Task& task, lifted::Rule rule);

}  // namespace fsplan
