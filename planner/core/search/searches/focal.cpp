// Focal search (Algorithm 1) with re-opening: of the open nodes with f <= w * bound, the best by the order.
//
// OPEN is never scanned. FOCAL is a gated queue: nodes beyond the limit wait, ordered by f and then by age, and enter
// FOCAL once the bound has risen enough; tie-breaking regards the node that entered FOCAL last as the newest. The least
// f of the open nodes is known from counts, one per f. A cheaper path to a node gives it a new entry with the key
// of the new path; the old entry becomes stale.
//
// Options beyond Algorithm 1. lazy: nodes are evaluated when they reach the top of a queue, and inherit h until then.
// hedge: the node of FOCAL that weighted A* would expand gets a turn, too, in case the policy is bad. prove: nodes of
// least f get turns, so that the bound, and FOCAL with it, grows early; deepen: depth-first passes do this instead.
// k_focal: several nodes leave FOCAL together.
#include "policies/random.hpp"
#include "search/deepening.hpp"
#include "search/loop.hpp"
#include "search/order.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

// FOCAL's key: the order's value of the path to the node, and f.
struct OrderKey {
    static constexpr const char* kName = "FOCAL";
    const Order* order;
    const FlatArray<double>* values;  // per node

    double shown(StateId id) const { return (*values)[id]; }
    bool is_integer() const { return order->integer_keys(); }
    std::int64_t operator()(StateId id, const Node& node) const { return order->key((*values)[id], node.f()); }
};

// Decides at random whether probabilistic focal search expands the best node by the order or a node of least f.
class Coin {
public:
    Coin(std::uint64_t seed, double probability) : random_(seed, kKey), probability_(probability) {}
    // True with the given probability.
    bool toss() { return random_.uniform() < probability_; }

private:
    static constexpr std::uint64_t kKey = 0xC01;  // separates these random numbers from others of the same seed
    Random random_;
    double probability_;
};

class Focal : public Loop<Focal> {
    using Base = Loop<Focal>;
    friend Base;

public:
    // If there is a coin, it decides between the order and the least f.
    explicit Focal(Run& run, std::optional<Coin> coin = {})
        : Base(run), coin_(coin), order_(run.request, run.space.action_count()),
          scorer_(run, order_.reading(), run.request.fresh), hedge_(run.request.hedge), prove_(run.request.prove),
          focal_(run, {&order_, &values_}, TieRule(run.request.ties), TieRule({Tie::oldest})),
          by_weight_(run, weighted_key(run.request.w), TieRule({Tie::h, Tie::newest}), TieRule({Tie::oldest})),
          by_f_(run, FKey(), TieRule({Tie::h, Tie::newest})), deepening_(run),
          lookahead_(scorer_.batch(run.request.lookahead)), together_(std::max<std::size_t>(1, run.request.k_focal)) {
        if (order_.needs_policy() && run.request.policy == nullptr)
            throw std::invalid_argument("this order needs a policy");
    }
    Focal(const Focal&) = delete;
    Focal& operator=(const Focal&) = delete;

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    static constexpr bool kCountsOpen = true;

    // The functions that loop.hpp requires

    void enter(StateId id) {
        grow_values();
        if (prove_ > 0 || coin_) by_f_.push(id);
        if (hedge_) by_weight_.push(id);
        focal_.push(id);
    }
    Cost least_f() { return this->counts_.least(); }
    Cost bound_beside() { return deepening_.bound(); }
    // Cycle of turns: one by the order, one by weighted A* (if hedge), and `prove` turns by f, which raise the bound.
    bool take_turn() {
        if (coin_) return coin_->toss() ? expand_by_order() : this->expand_best(by_f_);
        const std::uint32_t turn = turn_;
        turn_ = turn == (hedge_ ? 1 : 0) + prove_ ? 0 : turn + 1;
        if (turn == 0) return expand_by_order();
        return turn == 1 && hedge_ ? this->expand_best(by_weight_) : this->expand_best(by_f_);
    }
    void limit_changed(Cost limit) {
        focal_.set_limit(limit);
        if (hedge_) by_weight_.set_limit(limit);
    }
    void restart(const Weight& w) {
        focal_.clear();
        by_weight_.clear(weighted_key(w));
        by_f_.clear();
        this->enter_all_open();
    }

    bool expand_by_order() { return together_ == 1 ? this->expand_best(focal_, kUnlimited) : expand_together(); }
    // K-Focal: K nodes leave FOCAL, then they are expanded.
    bool expand_together() {
        selected_.clear();
        while (selected_.size() < together_ && focal_.find_first()) {
            const StateId id = focal_.pop();
            if (this->evaluated_now(id)) continue;
            this->close(id);
            if (!space_.is_goal(id)) selected_.push_back(id);
            else if (!this->goes_on_after(id)) return false;
        }
        if (scorer_.batch(together_) > 1 && !selected_.empty()) scorer_.prepare(selected_);
        // A selected node may have been re-opened by a cheaper path through another selected node.
        for (const StateId id : selected_)
            if (space_[id].status() == NodeStatus::closed) expand(id);
        return true;
    }

    void expand(StateId id) {
        if (lookahead_ > 1 && !scorer_.knows(id)) look_ahead(id);
        const auto score = [&] { score_edges(id); };
        const auto opened = [&](std::size_t i) { open_child(id, i); };
        if (space_.lists_ahead() && scorer_.reads_labels_only() && !run_.request.fresh && !run_.request.lazy)
            return this->expand_listed(id, score, opened);
        run_.request.lazy ? this->expand_scored(id, evaluator_.on_surfacing(), score, opened)
                          : this->expand_scored(id, evaluator_.at_generation(), score, opened);
    }
    void score_edges(StateId id) {
        if (first_choice_only()) {
            first_choice_ = scorer_.first_choice_improving(id, edges_);
            return;
        }
        scores_ = scorer_.score(id, edges_);
        if (order_.needs_ranks()) ranks_ = scorer_.rank(scores_);
    }
    bool first_choice_only() const { return order_.reading() == Reading::first_choice && !scorer_.shares_ties(); }
    float score_of(std::size_t edge) const { return first_choice_only() ? 0 : scores_[edge]; }
    std::int32_t rank_of(std::size_t edge) const {
        if (first_choice_only()) return edge == first_choice_ ? 0 : 1;
        return order_.needs_ranks() ? ranks_[edge] : 0;
    }
    void open_child(StateId id, std::size_t i) {
        grow_values();
        const Edge edge = edges_[i];
        const Node& child = space_[edge.child];
        values_[edge.child] =
            order_.extend({values_[id], score_of(i), rank_of(i), static_cast<std::int32_t>(edges_.size()), edge.action,
                           edge.cost, child.g, child.h(), space_[id].h()});
        enter(edge.child);
    }
    void grow_values() { values_.resize(space_.size(), 0); }

    // Scores the best nodes of FOCAL together with this one; FOCAL does not change.
    void look_ahead(StateId id) {
        std::vector<StateId> batch{id};
        focal_.in_order([&](StateId next) {
            if (!scorer_.knows(next) && !space_.is_goal(next)) batch.push_back(next);
            return batch.size() < lookahead_;
        });
        scorer_.prepare(batch);
    }

    template <class Key, class Container = BucketQueue>
    using Gated = GatedQueue<Key, DiesWith::evaluation, Container>;

    std::optional<Coin> coin_;
    Order order_;
    FlatArray<double> values_;
    Scorer scorer_;
    bool hedge_;
    std::uint32_t prove_;
    Gated<OrderKey, NodeQueue> focal_;
    Gated<LinearKey> by_weight_;                  // FOCAL ordered by g + w·h, for the option hedge
    OpenQueue<FKey, DiesWith::evaluation> by_f_;  // all open nodes by f, for the option prove
    Deepening deepening_;
    std::size_t lookahead_;
    std::size_t together_;
    std::span<const float> scores_;
    std::span<const std::int32_t> ranks_;
    std::size_t first_choice_ = 0;
    std::vector<StateId> selected_;
    std::uint32_t turn_ = 0;
};

GuideDemand guides_of_order(const SearchRequest& request) {
    return guides_of_policy(request, request.order->reading == Reading::first_choice);
}

}  // namespace

const SearchInfo focal_search{
    .name = "focal",
    .summary =
        "Focal search: of the open nodes with f <= w times the bound, the best by an order that the policy gives.",
    .reads =
        "order w policy masked ties reopen uncertified anytime lookahead k_focal lazy fresh hedge prove deepen paper",
    .proves = "w",
    .defaults = "order=disc2 ties=h,f,newest fresh=true prove=1",
    .defaults_if_expensive = "lazy=true hedge=true",
    .paper = "order=disc2 ties=f,h,newest",
    .needs_policy = always,
    .guide_demand = guides_of_order,
    .make = [](Run& run) { return steps_of<Focal>(run); }};

// Probabilistic focal search (Vu Duc et al., arXiv:2609.10584, 2026): Algorithm 1, but with probability 1 - p the node
// with the least f is expanded instead of the order's choice. These expansions raise f_min and so the limit of FOCAL,
// which expansions of the order's choice seldom do. `--search focal --prove N` does the same in fixed turns.
//
// Bound. The node of least f is in FOCAL, so the coin only chooses among nodes of FOCAL: a goal costs at most w *
// bound.
const SearchInfo pfs_search{
    .name = "pfs",
    .summary = "Probabilistic focal search: chooses at random between the best of FOCAL and the least f.",
    .reads = "order w policy masked ties reopen uncertified anytime lookahead probability",
    .proves = "w",
    .defaults = "order=disc2 ties=f,h,newest",
    .draws = always,
    .needs_policy = always,
    .guide_demand = guides_of_order,
    .make = [](Run& run) { return steps_of<Focal>(run, Coin(run.request.seed, run.request.probability)); }};

}  // namespace fsplan
