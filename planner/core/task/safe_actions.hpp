// Safe actions: if one of them is applicable, a search need not try any other action.
//
// Example: openstacks. Making a product costs nothing, a product stays made, and only the action that makes it requires
// that it has not been made. So every product is made as soon as possible; otherwise every subset of the products that
// can be made would be a state of its own.
//
// An action a is safe if all effects are unconditional and
//   1. every effect v = y is final: each action that sets v to another value needs v to have some value other than y;
//   2. the values that it overwrites are not needed: the previous value x of v occurs in preconditions and effect
//      conditions only of actions whose effects are all effects of a, and neither in the goal nor in a rule;
//   3. it changes the state: some v has a precondition v = x with x != y;
//   4. its cost is 0 or unavoidable: some such y is a goal, and every action with the effect y costs at least as much
//      and has no further effects.
//
// Proof that a search may apply a at once. Take a plan from the state. Leave out the actions whose effects are all
// among those of a, and put a in front. The plan still works: a variable v of an effect of a has x before and y after
// a; by 1 and 2 it stays x in the original plan until it becomes y (an action that sets it to another value needs x, or
// a value that it never has), and by 2 none of the actions left reads x. By 1 the actions left out have no effect after
// a. The new plan costs no more: by 4 a is free, or the original plan has an action with the effect y, which is left
// out. By 3 a gives one more variable a final value, so the argument can be repeated in later states, and this ends.
#pragma once

#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

// For every action whether it is safe; empty if none is.
std::vector<std::uint8_t> safe_actions(const GroundTask& task, Budget& watch);

}  // namespace fsplan
