// One depth-first pass over the paths whose f stays within a limit; no states are stored. It is for state spaces whose
// states are cheap to copy and whose successors() may be called again inside emit; such a space declares
//   static constexpr bool cheap_states = true.
//
// A path never returns to a state on it, so every pass ends. In spaces in which every action can be undone and has a
// positive cost it suffices to exclude the grandparent, which is much cheaper; such a space declares
//   static constexpr bool undoable = true.
// After a pass without a goal no plan costs less than next(), the least f above the limit.
//
// A heuristic whose incremental computation needs more than the parent's h has a type Carried, with h among its
// members, and the functions of CarriesH. Example: additive pattern databases carry the entry of every database; a move
// changes only one of these entries.
#pragma once

#include "base/stack_room.hpp"
#include "search/run.hpp"

namespace fsplan {

template <class G>
concept CheapStates = requires { requires G::cheap_states; };
template <class G>
concept Undoable = requires { requires G::undoable; };

enum class PassEnd { finished, goal, out_of_nodes, too_deep };
inline constexpr std::size_t kDeepestPath = 20000;
inline constexpr std::uint64_t kAllNodes = std::numeric_limits<std::uint64_t>::max();

template <class Heuristic>
concept CarriesMore = requires { typename Heuristic::Carried; };

template <class Heuristic>
struct CarriesH {
    struct Carried {
        Cost h;
    };
    Heuristic& heuristic;

    Carried carried(const auto& state) { return {heuristic.evaluate(state).h}; }
    // If h exceeds `most`, any lower bound on h that exceeds `most` may be returned.
    Carried carried_to_child(const auto& parent, Carried at_parent, ActionId action, const auto& child, Cost /*most*/) {
        return {heuristic.evaluate_child(parent, at_parent.h, action, child).h};
    }
};

// Depth-first passes as an interface for searches, which do not depend on the types of graph and heuristic.
class DepthFirstPasses {
public:
    virtual ~DepthFirstPasses() = default;
    virtual Cost start_h() const = 0;
    virtual Cost next() const = 0;
    // The plan, after a pass that found a goal.
    virtual Incumbent plan() const = 0;
    // Expands at most `nodes` nodes.
    virtual PassEnd pass(Cost limit, std::uint64_t nodes = kAllNodes) = 0;
};

// R must have the functions tick(), which is called once per node, and is_out_of_range(f).
template <class R, class Graph, class Heuristic>
class DepthFirst final : public DepthFirstPasses {
public:
    using State = typename Graph::State;
    using Carrier = std::conditional_t<CarriesMore<Heuristic>, Heuristic&, CarriesH<Heuristic>>;
    using Carried = typename std::remove_reference_t<Carrier>::Carried;

    // `counts` receives the numbers of expansions, generated states and evaluations. The first step never leads back to
    // `before`.
    DepthFirst(R& run, Graph& graph, Heuristic& heuristic, Statistics& counts, const State& start, const State& before)
        : run_(run), graph_(graph), heuristic_{heuristic}, counts_(counts), start_(start), before_(before),
          at_start_(heuristic_.carried(start)) {}
    DepthFirst(R& run, Graph& graph, Heuristic& heuristic, Statistics& counts, const State& start)
        : DepthFirst(run, graph, heuristic, counts, start, start) {}

    Cost start_h() const override { return at_start_.h; }
    Cost next() const override { return next_; }
    Incumbent plan() const override { return {{actions_.rbegin(), actions_.rend()}, cost_, 0}; }

    PassEnd pass(Cost limit, std::uint64_t nodes = kAllNodes) override {
        limit_ = limit;
        next_ = kInfinite;
        last_ = nodes == kAllNodes ? nodes : counts_.expanded + nodes;
        end_ = PassEnd::finished;
        path_.clear();
        stack_.look();
        visit(start_, before_, 0, at_start_, 0);
        return end_;
    }

private:
    using CarriedArgument = std::conditional_t<CarriesMore<Heuristic>, const Carried&, Carried>;

    // The hot loop of IDA*: one node takes 20 ns, and 10 % more if the code does not begin at a cache line. With
    // pattern databases the call per child is inlined only by force; otherwise it takes 25 % longer. Returns false if
    // the pass ends here. After a goal, actions_ holds the path from here, last action first.
    [[gnu::aligned(64)]] bool visit(const State state, const State before, Cost g, CarriedArgument at_state,
                                    std::size_t depth) {
        if (graph_.is_goal(state)) {
            cost_ = g;
            return end(PassEnd::goal);
        }
        if (depth >= kDeepestPath || !stack_.has_room()) return end(PassEnd::too_deep);
        if (counts_.expanded == last_) return end(PassEnd::out_of_nodes);
        run_.tick();
        ++counts_.expanded;
        if constexpr (!Undoable<Graph>) path_.push_back(state);
        bool going = true;
        graph_.successors(state, [&](ActionId action, Cost cost, const State& child) __attribute__((always_inline)) {
            if (!going || repeats(child, before)) return;
            ++counts_.generated;
            ++counts_.evaluated;
            const Carried at_child = heuristic_.carried_to_child(state, at_state, action, child, limit_ - g - cost);
            if (at_child.h == kDeadEnd) return;
            const std::int64_t f = std::int64_t{g} + cost + at_child.h;
            if (f > limit_) {
                if (!run_.is_out_of_range(f)) next_ = std::min(next_, static_cast<Cost>(f));
                return;
            }
            going = visit(child, state, g + cost, at_child, depth + 1);
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
            return std::ranges::find(path_, child) != path_.end();
        }
    }

    R& run_;
    Graph& graph_;
    Carrier heuristic_;
    Statistics& counts_;
    State start_;
    State before_;
    Carried at_start_;
    std::vector<State> path_;
    std::vector<ActionId> actions_;
    StackRoom stack_;
    std::uint64_t last_ = 0;
    PassEnd end_ = PassEnd::finished;
    Cost cost_ = 0;
    Cost limit_ = 0;
    Cost next_ = kInfinite;
};

}  // namespace fsplan
