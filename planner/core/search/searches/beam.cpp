// Beam search by the policy. Layers are expanded one after the other; from each layer only the `width` states whose
// paths have the best scores are expanded.
//
// The score of a path is the sum of log π of its actions. This puts paths through states with many actions at a
// disadvantage: if a hundred actions share the probability, even the first choice has a low log π. There are two ways
// to normalise:
//   first    log π of each action minus that of the first choice in its state: a path of first choices has score 0;
//   length   the mean of log π instead of the sum. Within a layer all paths are equally long, so this matters only
//            after an empty layer.
// A state belongs to the layer in which it was first reached or last reached by a cheaper path.
//
// Pruned states stay open. When a layer is empty, the search continues with the best of all open nodes, whatever the
// lengths of their paths, so it is complete. It guarantees nothing about the plan's cost; at the end, the open nodes
// prove a lower bound.
#include "search/scored_loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

struct ScoreKey {
    const FlatArray<PolicyPath>* paths;  // per node
    bool by_length;

    static bool is_integer() { return false; }
    std::int64_t operator()(StateId id, const Node&) const {
        const PolicyPath& path = (*paths)[id];
        return ordered(by_length ? -path.log_likelihood / path.states : -path.log_likelihood);
    }
};

class Beam : public ScoredLoop<Beam, PolicyPath, ScoreKey> {
    using Base = ScoredLoop<Beam, PolicyPath, ScoreKey>;
    friend Base;
    friend Loop<Beam>;

public:
    explicit Beam(Run& run)
        : Base(run, run.request.normalise == Normalise::length), from_first_(run.request.normalise == Normalise::first),
          width_(run.request.width) {}

private:
    using Base::open_, Base::run_, Base::scores_, Base::space_;

    // Makes sure that the current layer has a node to expand; after an empty layer the next one is created.
    Cost least_f() {
        if (!find_in_layer() && !make_layer()) {
            this->enter_all_open();
            if (!make_layer()) return kInfinite;
        }
        return 0;
    }
    bool take_turn() { return this->visit(layer_[at_++]); }
    bool find_in_layer() {
        while (at_ < layer_.size() && !(space_[layer_[at_]].is_open() && !run_.hopeless(space_[layer_[at_]]))) ++at_;
        return at_ < layer_.size();
    }
    bool make_layer() {
        layer_.clear();
        at_ = 0;
        while (layer_.size() < width_ && open_.find_first()) layer_.push_back(open_.pop());
        open_.clear();
        return !layer_.empty();
    }
    void scored(StateId) { par_ = from_first_ && !scores_.empty() ? *std::ranges::max_element(scores_) : 0; }
    PolicyPath value(StateId id, std::size_t i) const { return this->values_[id].extended(double{scores_[i]} - par_); }

    bool from_first_;
    std::size_t width_;
    std::vector<StateId> layer_;
    std::size_t at_ = 0;  // index of the next node in its layer
    double par_ = 0;
};

}  // namespace

const SearchInfo beam_search{
    .name = "beam",
    .summary = "Beam search: in each layer, the states whose paths have the best scores of the policy.",
    .reads = "w policy masked width normalise ties reopen uncertified anytime",
    .proves = "nothing",
    .open_proves_bound = true,
    .needs_policy = always,
    .guide_demand = guides_of_scores,
    .make = [](Run& run) { return steps_of<Beam>(run); }};

}  // namespace fsplan
