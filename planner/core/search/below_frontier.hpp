// Depth-first search below the frontier: the continuation of a search whose memory is used up. It seldom finds plans,
// but the bound can still rise. Queues and guides are discarded; the nodes stay.
//
// Every plan passes through the frontier, the open nodes. The states behind it are searched depth-first, in passes with
// a growing limit T on f, as by IDA* from all open nodes at once (MREC: Sen and Bagchi, IJCAI 1989). The open nodes
// with f <= T are the roots of a pass. Below a root, a state that is reached with path cost g is pruned if
//   1. it has a node, open or closed, with at most the same g: its successors lie behind that node;
//   2. this pass has reached it with at most the same g (states are stored while there is room);
//   3. it is a dead end;
//   4. its f exceeds T; the least such f below a root becomes the root's f after the pass.
//
// Bound. After a pass, no plan costs less than the least f of the open nodes, except for the incumbent. Let n be an
// open node that has its optimal g, lies on an optimal plan, and after which no node of that plan is open or closed
// with its optimal g. There is one, unless the plan is the incumbent (search_space.hpp). If f(n) > T, n is not a root
// and f(n) <= C* as before the pass. Otherwise follow the plan from n: if the pass has reached a state with its optimal
// g, the next one was not pruned by 1 or 3; by 2, it was reached with its optimal g, too; so the pass finds the goal,
// or 4 applies, below some root r. Then f(r) <= C* after the pass, and r takes n's place: the path from r to that state
// and the rest of the plan are an optimal plan, and none of its nodes after r has its optimal g, because 1 would have
// pruned it. During a pass the least f is not a bound.
#pragma once

#include "containers/array.hpp"
#include "containers/blocks.hpp"
#include "search/run.hpp"

namespace fsplan {

// Space is a SearchedGraph.
template <class Space>
class BelowFrontier {
    using State = typename Space::State;
    using Store = typename Space::Store;

public:
    BelowFrontier(Run& run, Space& space)
        : run_(run), space_(space), counts_(space_.statistics()), reached_(space_.graph().make_store()),
          patience_(kPatience * std::max(run_.work(), kLeastWork)) {
        run_.evaluator.forget_guides();
        spare_blocks.release();
        most_reached_ = states_in_free_memory();
        make_frontier();
        run_.raise_bound_by_open();
        begin_pass();
    }

    // Expands one state of the pass, or begins with the next root. Returns false when the search has ended.
    bool step() {
        if (!pending_.empty()) {
            expand(take_last());
            return true;
        }
        end_root();
        run_.take_news();
        return !run_.finished() && (find_root() || end_pass());
    }

private:
    // The search gives up if the bound has not risen during kPatience times the work that was done before memory ran
    // out.
    static constexpr std::uint64_t kPatience = 10, kLeastWork = 100 * 1000;
    static constexpr std::size_t kFewestReached = 1000;

    struct Reached {
        Cost g;  // least path cost in this pass
        Cost h;
        std::uint32_t pass;  // last pass that reached the state; 0 if none did
    };
    struct Pending {
        StateId id;  // number of the state in reached_
        Cost g;
        ActionId action;
        std::uint32_t depth;  // below the root
    };

    // Re-opens closed nodes whose expansion is incomplete, because the search ran out of memory in the middle of it.
    void make_frontier() {
        space_.keep_open(kNoState);
        for (StateId id = 0; id < space_.size(); ++id) {
            if (space_[id].status() != NodeStatus::closed) continue;
            space_.tick();
            if (space_.is_goal(id)) run_.accept(id);
            else if (!space_.is_expanded(id)) space_[id].become(NodeStatus::open);
        }
    }

    // Passes

    void begin_pass() {
        ++pass_;
        work_before_pass_ = run_.work();
        limit_ = next_limit();
        next_root_ = 0;
    }
    bool end_pass() {
        const Cost least = space_.least_open_f();
        if (least == kInfinite) return run_.raise_bound_to_end(), false;
        run_.raise_bound(least);
        const std::uint64_t work = run_.work() - work_before_pass_;
        if (work < 2 * work_of_last_pass_) step_ *= 2;
        work_of_last_pass_ = work;
        begin_pass();
        return true;
    }
    // If costs differ much, one pass per value of f would be too slow, so the limit rises faster as long as the work per
    // pass does not double. The limit stays below the bound that proves the incumbent.
    Cost next_limit() const {
        const Cost least = space_.least_open_f();
        const std::int64_t wanted = std::int64_t{least} + step_ - 1;
        return static_cast<Cost>(
            std::max<std::int64_t>(least, std::min<std::int64_t>(wanted, run_.bound_to_finish() - 1)));
    }

    // Roots of the current pass

    bool find_root() {
        while (next_root_ < space_.size()) {
            const StateId id = next_root_++;
            if (space_[id].is_open() && space_[id].f() <= limit_) return begin_root(id), true;
        }
        return false;
    }
    void begin_root(StateId id) {
        root_ = id;
        least_above_ = kInfinite;
        const State state = space_.hold(id);
        push(remember(state), space_[id].g, kNoAction, 0);
    }
    // Raises the root's h to the least f above the limit. If no state below it was pruned for its f, h becomes kInfinite:
    // the root needs no further pass, but it stays open.
    void end_root() {
        if (root_ == kNoState) return;
        Node& node = space_[root_];
        node.set_h(least_above_ == kInfinite ? kInfinite : least_above_ - node.g);
        root_ = kNoState;
    }

    // Depth-first search below the root

    Pending take_last() {
        const Pending last = pending_.back();
        pending_.pop_back();
        path_.resize(last.depth);
        if (last.depth > 0) path_.back() = last.action;
        return last;
    }
    void expand(const Pending& from) {
        if (records_[from.id].g < from.g) return;  // stale: the state has been reached by a cheaper path since
        watch_work();
        ++counts_.deepened;
        const State state = reached_.hold(from.id);
        space_.graph().successors(state, [&](ActionId action, Cost cost, const State& child) {
            ++counts_.generated;
            const std::int64_t g = std::int64_t{from.g} + cost;
            if (!space_.is_out_of_range(g)) visit(child, static_cast<Cost>(g), action, from.depth + 1);
        });
        if (reached_.size() <= most_reached_) return;
        forget_all_but_pending();
        spare_blocks.release();
    }
    void visit(const State& state, Cost g, ActionId action, std::uint32_t depth) {
        if (space_.has_node_within(state, g)) return;
        const StateId id = remember(state);
        const Reached& record = records_[id];
        if (record.h == kDeadEnd || (record.pass == pass_ && record.g <= g)) return;
        if (space_.graph().is_goal(state)) accept(g, action, depth);
        const std::int64_t f = std::int64_t{g} + record.h;
        if (space_.is_out_of_range(f)) return;
        if (f > limit_) least_above_ = std::min(least_above_, static_cast<Cost>(f));
        else push(id, g, action, depth);
    }
    void push(StateId id, Cost g, ActionId action, std::uint32_t depth) {
        records_[id].g = g;
        records_[id].pass = pass_;
        pending_.push_back({id, g, action, depth});
    }
    // Stores the state with its h-value for later passes.
    StateId remember(const State& state) {
        const Interned found = reached_.intern(state);
        if (found.is_new) records_.push_back({kInfinite, space_.h_without_node(state), 0});
        return found.id;
    }
    void accept(Cost g, ActionId action, std::uint32_t depth) {
        if (g >= run_.cost()) return;
        Incumbent found = space_.plan(root_);
        found.cost += g - space_[root_].g;
        found.plan.insert(found.plan.end(), path_.begin(), path_.begin() + depth - 1);
        found.plan.push_back(action);
        if (run_.accept_plan(std::move(found))) run_.announce();
    }

    void watch_work() {
        space_.tick();
        if (run_.lower_bound() > bound_) {
            bound_ = run_.lower_bound();
            work_at_rise_ = run_.work();
        } else if (run_.work() - work_at_rise_ > patience_) {
            throw LimitReached{Limit::memory};
        }
    }
    void forget_all_but_pending() {
        const Store reached = std::exchange(reached_, space_.graph().make_store());
        const FlatArray<Reached> records = std::exchange(records_, {});
        for (Pending& pending : pending_) {
            const Interned found = reached_.intern(reached[pending.id]);
            if (found.is_new) records_.push_back(records[pending.id]);
            pending.id = found.id;
        }
        most_reached_ = std::max(most_reached_, 2 * reached_.size());
    }
    std::size_t states_in_free_memory() const {
        const std::size_t used = resident_bytes(), limit = run_.request.memory_limit;
        const std::size_t per_state = space_.bytes() / std::max<std::size_t>(space_.size(), 1) + sizeof(Reached);
        return std::max(kFewestReached, limit > used ? (limit - used) / (2 * per_state) : 0);
    }

    Run& run_;
    Space& space_;
    Statistics& counts_;
    Store reached_;
    FlatArray<Reached> records_;    // per state in reached_
    std::vector<Pending> pending_;  // a stack
    std::vector<ActionId> path_;    // from the root to the state that is being expanded
    std::size_t most_reached_ = 0;
    StateId root_ = kNoState;
    StateId next_root_ = 0;
    Cost least_above_ = kInfinite;  // least f above the limit among the states below the root
    std::uint32_t pass_ = 0;
    Cost limit_ = 0;
    Cost step_ = 1;
    std::uint64_t work_before_pass_ = 0;
    std::uint64_t work_of_last_pass_ = 0;
    Cost bound_ = -1;
    std::uint64_t work_at_rise_ = 0;
    std::uint64_t patience_;
};

}  // namespace fsplan
