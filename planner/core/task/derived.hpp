// Computes the derived variables of a state: the rules of layer 0, 1, … each applied to a fixpoint.
//
// A counter per rule counts the body facts that are not known to hold. When a fact becomes true, the counters of the
// rules with this fact are decremented; a rule whose counter is 0 is applied when its layer is processed. At the end of
// a layer, variables that no rule has set keep their default values, and these facts decrement counters as well. This
// is correct because rules read lower layers, and no default values of their own layer; build_task rejects other rules.
#pragma once

#include "task/layout.hpp"
#include "task/task.hpp"

namespace fsplan {

class DerivedEvaluator {
public:
    DerivedEvaluator(const GroundTask& task, const Layout& layout);

    // Computes the derived words of a full state, which follow its stored words.
    void evaluate(Word* state);

private:
    void make_true(FactId fact);

    const GroundTask& task_;
    const Layout& layout_;
    Rows rules_with_;                       // fact -> rules with it in the body
    std::vector<std::uint32_t> body_size_;  // rule -> initial value of its counter
    std::vector<std::uint32_t> layer_of_rule_;
    std::vector<std::uint32_t> watched_;  // stored variables that occur in rules
    std::vector<std::vector<std::uint32_t>> variables_of_layer_;
    std::vector<std::uint32_t> always_;              // rules with an empty body
    std::vector<std::uint32_t> missing_;             // rule -> number of body facts not known to hold
    std::vector<std::vector<std::uint32_t>> ready_;  // layer -> rules to apply
};

}  // namespace fsplan
