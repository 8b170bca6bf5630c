// An interface that a policy may implement in addition to Policy, if it computes h_FF of every state that it scores. A
// search that scores the states it visits need not evaluate them then.
#pragma once

#include "contract/graph.hpp"

namespace fsplan {

class GuidesStates {
public:
    virtual ~GuidesStates() = default;
    // h_FF of the last state of the last batch; kDeadEnd if h_max shows that the state is a dead end. Without a ground
    // task it is the number of unsatisfied goals.
    virtual Cost guide() const = 0;
};

}  // namespace fsplan
