// Focal search (Algorithm 1) with re-opening.
//
// OPEN is never scanned. Open nodes with f <= w * bound are in FOCAL, ordered by the order's key, and their f are
// counted; the others wait in `pending`, by f and then in the order they came, and move once, when the bound has risen
// enough. The least f of both is f_min, and the bound is the greatest f_min so far: it never drops, even if an
// inconsistent h lets f_min drop. The newest node is the one that entered FOCAL last.
// A cheaper path to a node gives it a new entry with the key of its new parent; the old entry, known by its g, dies
// when it surfaces, and the counts are corrected at once.
//
// Beyond Algorithm 1, where asked for: nodes are evaluated only when they surface (lazy), and until then have the f that
// their parent's h implies; the node of FOCAL that weighted A* would expand gets a turn beside the order's (hedge), for
// where the policy is of no use; nodes of least f get turns (prove), or depth-first passes run beside (deepen), so that the
// bound, and FOCAL with it, grows early.
#pragma once

#include "search/best_first.hpp"
#include "search/deepening.hpp"
#include "search/order.hpp"
#include "search/run.hpp"
#include "search/scorer.hpp"
#include "search/ties.hpp"

namespace fsplan {

template <class R>
class Focal {
public:
    explicit Focal(R& run)
        : run_(run), space_(run.space), order_(run.request, run.space.graph().action_count()),
          scorer_(run, order_.reading(), run.request.fresh),
          first_choice_only_(order_.reading() == Reading::first_choice), ties_(run.request.ties), w_(run.request.w),
          weighted_(weighted_key(w_)),
          lookahead_(scorer_.batch(run.request.lookahead)), together_(std::max<std::size_t>(1, run.request.k_focal)),
          focal_(empty_focal()), deepening_(run),
          turns_(1 + (run.request.hedge ? 1 : 0) + run.request.prove) {
        if (order_.needs_policy() && run.request.policy == nullptr)
            throw std::invalid_argument("this order needs a policy");
    }

    void search() {
        const StateId start = run_.evaluator.add_start();
        grow_values();
        if (space_[start].is_open()) enter(start);
        while (raise_bound() && take_turn()) continue;
    }

private:
    // One for the order, one to hedge and as many for the bound as were asked for. False: a goal ends the search.
    bool take_turn() {
        const std::uint32_t turn = turn_;
        turn_ = (turn_ + 1) % turns_;
        if (turn == 0) return expand_by_order();
        return expand_best(turn == 1 && run_.request.hedge ? by_weight_ : by_f_);
    }
    bool expand_by_order() {
        if (!select()) return false;
        for (const StateId id : selected_)
            if (space_[id].status() == NodeStatus::closed) expand(id);
        return true;
    }
    // Takes the best nodes out of FOCAL. False: a goal among them ends the search.
    bool select() {
        selected_.clear();
        while (selected_.size() < together_) {
            const StateId id = take_from(focal_);
            if (id == kNoState) break;
            if (evaluated_now(id)) continue;
            close(id);
            if (!space_.is_goal(id)) {
                selected_.push_back(id);
            } else if (found(id)) {
                return false;
            }
        }
        if (together_ > 1 && scorer_.batch(together_) > 1 && !selected_.empty()) scorer_.prepare(selected_);
        return true;
    }

    // Expands the first node of the queue, or evaluates it. False: it is a goal that ends the search.
    bool expand_best(BucketQueue& queue) {
        const StateId id = take_from(queue);
        if (id == kNoState || evaluated_now(id)) return true;
        close(id);
        if (space_.is_goal(id)) return !found(id);
        expand(id);
        return true;
    }
    // The first open node of the queue, or none.
    template <class Queue>
    StateId take_from(Queue& queue) {
        while (!queue.empty()) {
            const Entry entry = queue.top();
            queue.pop();
            if (is_live(entry)) return entry.id;
        }
        return kNoState;
    }
    void close(StateId id) {
        counts_.remove(space_[id].f());
        space_[id].become(NodeStatus::closed);
    }
    // Lazy: the node had no f of its own, and now takes its place by it.
    bool evaluated_now(StateId id) {
        if (!space_[id].awaits_evaluation()) return false;
        counts_.remove(space_[id].f());
        run_.evaluator.evaluate(id);
        if (space_[id].is_open()) enter(id);
        return true;
    }

    void expand(StateId id) {
        if (lookahead_ > 1 && !scorer_.knows(id)) look_ahead(id);
        edges_.clear();
        if constexpr (decltype(R::space)::kListsAhead) {
            if (scorer_.reads_labels_only() && !run_.request.fresh && !run_.request.lazy) return expand_listed(id);
        }
        const auto add = [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); };
        run_.request.lazy ? space_.expand(id, run_.evaluator.on_surfacing(), add)
                          : space_.expand(id, run_.evaluator.at_generation(), add);
        score(id);
        for (const std::uint32_t i : edges_.improving()) relax(id, edges_[i], i);
    }
    // Asks the policy while the successors' memory is on its way.
    void expand_listed(StateId id) {
        space_.list(id, [&](ActionId action, Cost cost) { edges_.add(action, cost); });
        score(id);
        std::size_t next = 0;
        space_.expand_listed(id, run_.evaluator.at_generation(), [&](const Edge& edge) { relax(id, edge, next++); });
    }
    void score(StateId id) {
        if (first_choice_only_) {
            first_choice_ = scorer_.first_choice_improving(id, edges_);
            return;
        }
        scores_ = scorer_.score(id, edges_);
        if (order_.needs_ranks()) ranks_ = scorer_.rank(scores_);
    }
    float score_of(std::size_t index) const { return first_choice_only_ ? 0 : scores_[index]; }
    std::int32_t rank_of(std::size_t index) const {
        if (first_choice_only_) return index == first_choice_ ? 0 : 1;
        return order_.needs_ranks() ? ranks_[index] : 0;
    }

    void relax(StateId id, const Edge& edge, std::size_t index) {
        const Node before = space_[edge.child];
        if (!space_.relax(id, edge)) return;
        if (before.is_open() && before.f() <= limit_) counts_.remove(before.f());
        grow_values();
        const Node& child = space_[edge.child];
        values_[edge.child] =
            order_.extend({values_[id], score_of(index), rank_of(index), static_cast<std::int32_t>(edges_.size()),
                           edge.action, edge.cost, child.g, child.h()});
        enter(edge.child);
    }

    // The best nodes of FOCAL, which stays as it is, are scored together with this one.
    void look_ahead(StateId id) {
        std::vector<StateId> batch{id};
        focal_.in_order([&](const Entry& entry) {
            if (is_live(entry) && !scorer_.knows(entry.id) && !space_.is_goal(entry.id))
                batch.push_back(entry.id);
            return batch.size() < lookahead_;
        });
        scorer_.prepare(batch);
    }

    // Entries die when their node is closed, cheaper, or evaluated: those of nodes not yet evaluated have ~g for g.
    Entry entry_of(StateId id) const {
        const Node& node = space_[id];
        return {id, node.awaits_evaluation() ? ~node.g : node.g};
    }
    bool is_live(const Entry& entry) const {
        return space_[entry.id].is_open() && entry_of(entry.id).g == entry.g;
    }
    void enter(StateId id) {
        const Node& node = space_[id];
        if (run_.request.prove > 0) by_f_.push({node.f(), node.h(), 0}, entry_of(id));
        admit(id);
    }
    void admit(StateId id) {
        const Node& node = space_[id];
        const Entry entry = entry_of(id);
        if (node.f() <= limit_) {
            counts_.add(node.f());
            if (run_.request.hedge) by_weight_.push({weighted_(node), node.h(), 0}, entry);
            focal_.push(ties_.priority(order_.key(values_[id], node.f()), node), entry);
        } else {
            pending_.push({node.f(), 0, 0}, entry);
        }
    }

    // Raises the bound to f_min and lets in what it admits. False: no open node is left, or none that is better than
    // the plan at hand.
    bool raise_bound() {
        const Cost f_min = std::min(counts_.least(), least_pending());
        run_.watch.f_min = f_min;
        const Cost proven = std::max(f_min, deepening_.bound());
        if (proven > bound_) {
            bound_ = proven;
            bound_ == kDeadEnd ? run_.prove_exhausted() : run_.prove(bound_);
            if (bound_ >= run_.cost()) return false;
            if (run_.has_plan() && run_.proven(w_)) lower_weight();
            set_limit();
        }
        return f_min < run_.cost();
    }
    Cost least_pending() {
        while (!pending_.empty() && !is_live(pending_.top())) pending_.pop();
        return pending_.empty() ? kDeadEnd : static_cast<Cost>(pending_.top_priority().key);
    }
    void set_limit() {
        limit_ = std::min(threshold(w_, bound_), run_.cost() - 1);
        while (!pending_.empty() && pending_.top_priority().key <= limit_) {
            const Entry entry = pending_.top();
            pending_.pop();
            if (is_live(entry)) admit(entry.id);
        }
    }

    // True: the search ends here.
    bool found(StateId goal) {
        const bool better = run_.accept(goal);
        run_.prove(std::min(bound_, run_.cost()));
        if (better) run_.announce();
        if (!run_.request.anytime || run_.optimal()) return true;
        lower_weight();
        set_limit();
        return false;
    }
    // Anytime: goes on with a weight for which the plan at hand is not yet good enough, on the same nodes.
    void lower_weight() {
        while (w_.numerator > w_.denominator && run_.proven(w_)) w_ = halved(w_, bound_);
        focal_ = empty_focal();
        pending_ = BucketQueue(false);
        by_weight_ = BucketQueue();
        by_f_ = BucketQueue();
        weighted_ = weighted_key(w_);
        counts_ = CostCounts();
        limit_ = -1;
        for (StateId id = 0; id < space_.size(); ++id)
            if (space_[id].is_open() && !run_.hopeless(space_[id])) enter(id);
    }
    NodeQueue empty_focal() const { return NodeQueue(order_.integer_keys(), ties_.newest(), ties_.uses_second()); }
    void grow_values() { values_.resize(space_.size(), 0); }

    R& run_;
    decltype(R::space)& space_;
    Order order_;
    Scorer<R> scorer_;
    bool first_choice_only_;
    TieRule ties_;
    Weight w_;
    LinearKey weighted_;
    std::size_t lookahead_;
    std::size_t together_;
    NodeQueue focal_;
    BucketQueue pending_{false};
    BucketQueue by_weight_;  // FOCAL, where hedging
    BucketQueue by_f_;       // all open nodes, where the bound has turns
    Deepening<R> deepening_;
    CostCounts counts_;
    FlatArray<double> values_;
    EdgeList edges_;
    std::span<const float> scores_;
    std::span<const std::int32_t> ranks_;
    std::size_t first_choice_ = 0;
    std::vector<StateId> selected_;
    std::uint32_t turns_;
    std::uint32_t turn_ = 0;
    Cost bound_ = -1;
    Cost limit_ = -1;
};

struct FocalSearch {
    static constexpr SearchInfo info{
        .name = "focal",
        .summary = "Focal search: of the open nodes with f <= w times the bound, first what the policy's order prefers.",
        .reads = "order w policy ties reopen uncertified anytime lookahead k_focal lazy fresh hedge prove deepen",
        .proves = "w",
        .ties = "f,h,newest",
        .needs_policy = [](const SearchRequest&) { return true; },
        .guide_demand = [](const SearchRequest& request) {
            return guides_of_policy(request, request.order->reading == Reading::first_choice);
        }};
    template <class R>
    static void search(R& run) {
        Focal<R>(run).search();
    }
};

}  // namespace fsplan
