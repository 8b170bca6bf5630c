// Successor generator: a decision tree over the variables. Its leaves are short lists of actions with the tests that
// are not on the path to the leaf.
#pragma once

#include "base/budget.hpp"
#include "task/layout.hpp"
#include "task/task.hpp"

namespace fsplan {

class SuccessorGenerator {
public:
    SuccessorGenerator(const GroundTask& task, const Layout& layout, Budget& watch);

    // Replaces `found` by the applicable actions, ascending. `state` is a full state.
    void applicable(const Word* state, std::vector<ActionId>& found);

private:
    friend class SuccessorTreeBuilder;

    // Reference to a node: an index into branches_, or ~index into leaves_; kNothing if there are no actions.
    using Node = std::int32_t;
    static constexpr Node kNothing = std::numeric_limits<Node>::max();

    struct Branch {
        PackedField field;
        Node otherwise;             // actions that do not test this variable
        std::uint32_t first_child;  // child of value x: children_[first_child + x]
    };
    struct Leaf {
        std::uint32_t begin, end;  // indices in candidates_
    };
    struct Candidate {
        ActionId action;
        std::uint32_t begin, end;  // of tests_
    };

    void visit_leaf(const Leaf& leaf, const Word* state, std::vector<ActionId>& found) const;

    std::vector<Branch> branches_;
    std::vector<Node> children_;
    std::vector<Leaf> leaves_;
    std::vector<Candidate> candidates_;
    std::vector<WordTest> tests_;
    Node root_ = kNothing;
    std::vector<Node> stack_;
};

}  // namespace fsplan
