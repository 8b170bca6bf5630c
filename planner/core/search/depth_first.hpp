// One depth-first pass over the paths whose f stays within a limit, without memory of states. For state spaces whose states
// are cheap values and whose successors() may be called again inside emit; such a space says
//   static constexpr bool cheap_states = true.
//
// A path never returns to a state on it, so every pass ends. Where actions can be undone and cost something, leaving out
// the grandparent is enough, and much cheaper; such a space says  static constexpr bool undoable = true.
// A finished pass has seen no goal: no plan costs less than next(), the least f above the limit.
#pragma once

#include <limits>
#include <type_traits>

#include "search/run.hpp"
#include "stack_room.hpp"

namespace fsplan {

template <class R>
using GraphOf = std::remove_cvref_t<decltype(std::declval<R&>().space.graph())>;
template <class R>
using HeuristicOf = std::remove_cvref_t<decltype(std::declval<R&>().evaluator.heuristic())>;
template <class G>
concept CheapStates = requires { requires G::cheap_states; };
template <class G>
concept Undoable = requires { requires G::undoable; };

enum class PassEnd { finished, goal, out_of_nodes, too_deep };
inline constexpr std::size_t kDeepestPath = 20000;
inline constexpr std::uint64_t kAllNodes = std::numeric_limits<std::uint64_t>::max();

template <class R, class Heuristic = HeuristicOf<R>>
class DepthFirst {
public:
    using Graph = GraphOf<R>;
    using State = typename Graph::State;

    // `counts` receives what the passes expand, generate and evaluate.
    DepthFirst(R& run, Heuristic& heuristic, Statistics& counts)
        : run_(run), graph_(run.space.graph()), heuristic_(heuristic), counts_(counts),
          start_(graph_.start()), start_h_(heuristic_.evaluate(start_).h) {}

    Cost start_h() const { return start_h_; }
    Cost next() const { return next_; }
    // After a goal.
    Incumbent plan() const { return {{actions_.rbegin(), actions_.rend()}, cost_, 0}; }

    // Expands at most `nodes` nodes.
    PassEnd pass(Cost limit, std::uint64_t nodes = kAllNodes) {
        limit_ = limit;
        next_ = kDeadEnd;
        last_ = nodes == kAllNodes ? nodes : counts_.expanded + nodes;
        end_ = PassEnd::finished;
        path_.clear();
        stack_.look();
        visit(start_, start_, 0, start_h_, 0);
        return end_;
    }

private:
    // The hot loop of IDA*: one node takes 20 ns, and a tenth more where the code begins within a cache line.
    // False: the pass ends here. After a goal actions_ holds the way from here, last action first.
    [[gnu::aligned(64)]] bool visit(const State state, const State before, Cost g, Cost h, std::size_t depth) {
        if (graph_.is_goal(state)) {
            cost_ = g;
            return end(PassEnd::goal);
        }
        if (depth >= kDeepestPath || !stack_.has_room()) return end(PassEnd::too_deep);
        if (counts_.expanded == last_) return end(PassEnd::out_of_nodes);
        run_.watch.tick(run_.space.statistics());
        ++counts_.expanded;
        if constexpr (!Undoable<Graph>) path_.push_back(state);
        bool going = true;
        graph_.successors(state, [&](ActionId action, Cost cost, const State& child) {
            if (!going || repeats(child, before)) return;
            ++counts_.generated;
            ++counts_.evaluated;
            const Cost child_h = heuristic_.evaluate_child(state, h, action, child).h;
            if (child_h == kDeadEnd) return;
            const std::int64_t f = std::int64_t{g} + cost + child_h;
            if (f > limit_) {
                if (!run_.space.is_out_of_range(f)) next_ = std::min(next_, static_cast<Cost>(f));
                return;
            }
            going = visit(child, state, g + cost, child_h, depth + 1);
            if (!going) actions_.push_back(action);
        });
        if constexpr (!Undoable<Graph>) path_.pop_back();
        return going;
    }
    bool end(PassEnd how) {
        end_ = how;
        actions_.clear();
        return false;
    }
    bool repeats(const State& child, const State& before) const {
        if constexpr (Undoable<Graph>) {
            return child == before;
        } else {
            return std::find(path_.begin(), path_.end(), child) != path_.end();
        }
    }

    R& run_;
    Graph& graph_;
    Heuristic& heuristic_;
    Statistics& counts_;
    State start_;
    Cost start_h_;
    std::vector<State> path_;
    std::vector<ActionId> actions_;
    StackRoom stack_;
    std::uint64_t last_ = 0;
    PassEnd end_ = PassEnd::finished;
    Cost cost_ = 0;
    Cost limit_ = 0;
    Cost next_ = kDeadEnd;
};

}  // namespace fsplan
