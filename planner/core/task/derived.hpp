// Computes the derived variables of a state: the rules of layer 0, 1, … each applied to a fixpoint.
//
// One counter per rule counts the body facts not yet known to hold. A fact that comes to hold counts down the rules it
// occurs in; a rule that reaches 0 waits for the turn of its layer. When a layer is done, the variables of it that no
// rule has set keep their default for good, and those facts count down as well. This takes rules that read lower layers,
// and of their own layer no defaults; build_task refuses others.
#pragma once

#include <vector>

#include "task/layout.hpp"
#include "task/task.hpp"

namespace fsplan {

class DerivedEvaluator {
public:
    DerivedEvaluator(const GroundTask& task, const Layout& layout);

    // Fills in the derived words of the full state behind its stored words.
    void evaluate(Word* state);

private:
    void make_true(FactId fact);

    const GroundTask& task_;
    const Layout& layout_;
    Rows rules_with_;                                     // fact -> rules with it in the body
    std::vector<std::uint32_t> body_size_;                // rule -> its counter's start
    std::vector<std::uint32_t> layer_of_rule_;
    std::vector<std::uint32_t> watched_;                  // stored variables that occur in rules
    std::vector<std::vector<std::uint32_t>> variables_of_layer_;
    std::vector<std::uint32_t> always_;                   // rules with an empty body
    std::vector<std::uint32_t> missing_;                  // rule -> counter
    std::vector<std::vector<std::uint32_t>> ready_;       // layer -> rules to apply
};

}  // namespace fsplan
