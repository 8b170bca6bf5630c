// IDA*: depth-first within a growing threshold on f, no memory of states. For sources whose states are cheap values and
// whose successors() may be called again inside emit; such a source says  static constexpr bool cheap_states = true.
//
// A path never returns to a state on it, so every depth-first pass ends. Where actions can be undone and cost something,
// leaving out the grandparent is enough, and much cheaper; such a source says  static constexpr bool undoable = true.
// Each finished pass proves its successor's threshold, the least f above the old one.
#pragma once

#include "search/run.hpp"

namespace fsplan {

template <class G>
concept CheapStates = requires { requires G::cheap_states; };
template <class G>
concept Undoable = requires { requires G::undoable; };

template <Graph G, HeuristicFor<G> H>
class IdaStar {
public:
    using State = typename G::State;

    IdaStar(Run<G, H>& run, G& graph, H& heuristic) : run_(run), graph_(graph), heuristic_(heuristic) {}

    void search() {
        const State start = graph_.start();
        const Cost start_h = heuristic_.evaluate(start).h;
        Cost limit = start_h;
        while (limit != kDeadEnd) {
            run_.prove(limit);
            run_.watch.f_min = limit;
            limit_ = limit;
            next_ = kDeadEnd;
            if (visit(start, start, 0, start_h, 0)) {
                std::reverse(actions_.begin(), actions_.end());
                run_.accept_plan({std::move(actions_), cost_, 0});
                run_.announce();
                return;
            }
            limit = next_;
        }
        run_.prove(kDeadEnd);
    }

private:
    static constexpr std::size_t kDeepest = 20000;

    // True: a goal was found; actions_ then holds the way from here, last action first.
    bool visit(const State state, const State before, Cost g, Cost h, std::size_t depth) {
        if (graph_.is_goal(state)) {
            cost_ = g;
            return true;
        }
        if (depth >= kDeepest) throw std::length_error("idastar: a path of 20000 actions; use astar");
        Statistics& statistics = run_.space.statistics();
        run_.watch.before_expansion(statistics);
        ++statistics.expanded;
        if constexpr (!Undoable<G>) path_.push_back(state);
        bool found = false;
        graph_.successors(state, [&](ActionId action, Cost cost, const State& child) {
            if (found || repeats(child, before)) return;
            ++statistics.generated;
            ++statistics.evaluated;
            const Cost child_h = heuristic_.evaluate_child(state, h, action, child).h;
            if (child_h == kDeadEnd) return;
            const std::int64_t f = std::int64_t{g} + cost + child_h;
            if (f > limit_) {
                check_cost(f);
                next_ = std::min(next_, static_cast<Cost>(f));
                return;
            }
            found = visit(child, state, g + cost, child_h, depth + 1);
            if (found) actions_.push_back(action);
        });
        if constexpr (!Undoable<G>) path_.pop_back();
        return found;
    }
    bool repeats(const State& child, const State& before) const {
        if constexpr (Undoable<G>) {
            return child == before;
        } else {
            return std::find(path_.begin(), path_.end(), child) != path_.end();
        }
    }

    Run<G, H>& run_;
    G& graph_;
    H& heuristic_;
    std::vector<State> path_;
    std::vector<ActionId> actions_;
    Cost cost_ = 0;
    Cost limit_ = 0;
    Cost next_ = kDeadEnd;
};

}  // namespace fsplan
