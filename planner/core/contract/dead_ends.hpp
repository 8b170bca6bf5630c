// An interface that a policy may implement in addition to Policy, if scoring a state also shows whether h_max finds it
// to be a dead end. A search that scores every state it visits need not evaluate these states then.
#pragma once

namespace fsplan {

class FindsDeadEnds {
public:
    virtual ~FindsDeadEnds() = default;
    // Whether the last state of the last batch is a dead end.
    virtual bool is_dead_end() const = 0;
};

}  // namespace fsplan
