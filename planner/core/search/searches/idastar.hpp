// IDA*: depth-first passes within a growing limit on f; each pass proves the next one's limit. A step is a pass.
#pragma once

#include <variant>

#include "search/depth_first.hpp"

namespace fsplan {

template <class R>
class IdaStar {
public:
    explicit IdaStar(R&) {
        throw std::invalid_argument("idastar needs a task with cheap states (puzzles, explicit graphs); use astar");
    }
    bool step() { return false; }
};

template <class R>
    requires CheapStates<GraphOf<R>>
class IdaStar<R> {
public:
    explicit IdaStar(R& run) : run_(run), counts_(run.space.statistics()) {}

    // A heuristic that stands for several is asked once per pass which it is: at 20 ns per node it matters.
    bool step() {
        run_.take_news();
        auto& heuristic = run_.evaluator.heuristic();
        if constexpr (requires { heuristic.chosen(); }) {
            return std::visit([&](auto& chosen) { return step_with(chosen); }, heuristic.chosen());
        } else {
            return step_with(heuristic);
        }
    }

private:
    template <class Heuristic>
    bool step_with(Heuristic& heuristic) {
        auto& graph = run_.space.graph();
        DepthFirst passes(run_, graph, heuristic, counts_, graph.start());
        limit_ = std::max({limit_, passes.start_h(), run_.lower_bound()});
        if (limit_ >= run_.cost()) return run_.raise_bound_to_end(), false;
        run_.raise_bound(limit_);
        run_.watch.f_min = limit_;
        if (run_.finished()) return false;
        return goes_on_after(passes.pass(limit_, nodes_left()), passes);
    }
    template <class Passes>
    bool goes_on_after(PassEnd end, const Passes& passes) {
        if (end == PassEnd::too_deep)
            throw std::length_error("idastar: a path of 20000 actions, or as many as the stack holds; use astar");
        if (end == PassEnd::out_of_nodes) throw Stopped{Status::expansion_limit};
        if (end == PassEnd::finished) {
            limit_ = passes.next();
            return true;
        }
        run_.accept_plan(passes.plan());
        run_.announce();
        return false;
    }
    std::uint64_t nodes_left() const {
        const std::uint64_t most = run_.request.expansion_limit;
        return most == 0 ? kAllNodes : most - counts_.expanded;
    }

    R& run_;
    Statistics& counts_;
    Cost limit_ = 0;
};

struct IdaStarSearch {
    static constexpr SearchInfo info{
        .name = "idastar",
        .summary = "IDA*, for puzzles and explicit graphs: a plan of least cost without memory of states.",
        .reads = "uncertified",
        .proves = "optimal",
        .defaults = "w=1/1"};
    template <class R>
    static auto make(R& run) {
        return IdaStar<R>(run);
    }
};

}  // namespace fsplan
