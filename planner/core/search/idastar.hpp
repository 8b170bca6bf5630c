// IDA*: depth-first passes within a growing limit on f; each pass proves the next one's limit.
#pragma once

#include <variant>

#include "search/depth_first.hpp"

namespace fsplan {

template <class R>
class IdaStar {
public:
    explicit IdaStar(R& run) : run_(run), counts_(run.space.statistics()) {}

    // A heuristic that stands for several is asked once which it is: at 20 ns a node it matters.
    void search() {
        auto& heuristic = run_.evaluator.heuristic();
        if constexpr (requires { heuristic.chosen(); }) {
            std::visit([&](auto& chosen) { search_with(chosen); }, heuristic.chosen());
        } else {
            search_with(heuristic);
        }
    }

private:
    template <class Heuristic>
    void search_with(Heuristic& heuristic) {
        DepthFirst<R, Heuristic> passes(run_, heuristic, counts_);
        PassEnd end = PassEnd::finished;
        for (Cost limit = passes.start_h(); limit != kDeadEnd && end == PassEnd::finished; limit = passes.next()) {
            run_.prove(limit);
            run_.watch.f_min = limit;
            end = passes.pass(limit, nodes_left());
        }
        if (end == PassEnd::too_deep) throw std::length_error("idastar: a path of 20000 actions, or as many as the stack holds; use astar");
        if (end == PassEnd::out_of_nodes) throw Stopped{Status::timeout};
        if (end == PassEnd::finished) return run_.prove_exhausted();
        run_.accept_plan(passes.plan());
        run_.announce();
    }
    std::uint64_t nodes_left() const {
        const std::uint64_t most = run_.request.limits.expansions;
        return most == 0 ? kAllNodes : most - counts_.expanded;
    }

    R& run_;
    Statistics& counts_;
};

struct IdaStarSearch {
    static constexpr SearchInfo info{
        .name = "idastar",
        .summary = "IDA*, for puzzles and explicit graphs: a plan of least cost without memory of states.",
        .reads = "uncertified",
        .proves = "optimal"};
    template <class R>
    static void search(R& run) {
        if constexpr (CheapStates<GraphOf<R>>) {
            IdaStar<R>(run).search();
        } else {
            throw std::invalid_argument("idastar needs a task with cheap states (puzzles, explicit graphs); use astar");
        }
    }
};

}  // namespace fsplan
