// IDA*: depth-first passes within a growing limit on f; each pass proves the next one's limit.
#pragma once

#include "search/depth_first.hpp"

namespace fsplan {

template <class R>
class IdaStar {
public:
    explicit IdaStar(R& run) : run_(run), counts_(run.space.statistics()), passes_(run, counts_) {}

    void search() {
        PassEnd end = PassEnd::finished;
        for (Cost limit = passes_.start_h(); limit != kDeadEnd && end == PassEnd::finished; limit = passes_.next()) {
            run_.prove(limit);
            run_.watch.f_min = limit;
            end = passes_.pass(limit, nodes_left());
        }
        if (end == PassEnd::too_deep) throw std::length_error("idastar: a path of 20000 actions; use astar");
        if (end == PassEnd::out_of_nodes) throw Stopped{Status::timeout};
        if (end == PassEnd::finished) return run_.prove(kDeadEnd);
        run_.accept_plan(passes_.plan());
        run_.announce();
    }

private:
    std::uint64_t nodes_left() const {
        const std::uint64_t most = run_.request.limits.expansions;
        return most == 0 ? kAllNodes : most - counts_.expanded;
    }

    R& run_;
    Statistics& counts_;
    DepthFirst<R> passes_;
};

}  // namespace fsplan
