// Base of searches that order nodes by a value computed from the policy's scores along the path or on the last edge.
//
// A search derives from ScoredLoop and defines value(id, i): the value of the child by the i-th edge of node id,
// computed from scores_ and values_[id]. A search that needs all scores of a node at once also defines scored(id),
// which is called first. The key of the queue reads the values.
#pragma once

#include "search/loop.hpp"
#include "search/scorer.hpp"

namespace fsplan {

// Likelihood of the path to a node under the policy.
struct PolicyPath {
    double log_likelihood = 0;
    std::int32_t states = 1;

    PolicyPath extended(double log_probability) const { return {log_likelihood + log_probability, states + 1}; }
};

template <class Search, class Value, class Key>
class ScoredLoop : public Loop<Search> {
    friend Loop<Search>;

protected:
    // The key is constructed from the values and the arguments of the search.
    template <class... KeyParts>
    explicit ScoredLoop(Run& run, KeyParts... parts)
        : Loop<Search>(run), scorer_(run, Reading::log_probabilities),
          open_(run, Key{&values_, parts...}, TieRule(run.request.ties)) {
        if (run.request.policy == nullptr) throw std::invalid_argument("this search needs a policy");
    }
    ScoredLoop(const ScoredLoop&) = delete;
    ScoredLoop& operator=(const ScoredLoop&) = delete;

    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) {
        values_.resize(this->space_.size(), Value());
        open_.push(id);
    }
    Cost least_f() { return open_.find_first() ? 0 : kInfinite; }
    bool take_turn() { return this->expand_best(open_); }
    void expand(StateId id) { expand_by_scores(id, this->evaluator_.at_generation()); }
    void scored(StateId) {}

    // first_values says how new nodes are evaluated.
    void expand_by_scores(StateId id, FirstValues first_values) {
        const auto score = [&] {
            scores_ = scorer_.score(id, this->edges_);
            self().scored(id);
        };
        this->expand_scored(id, first_values, score, [&](std::size_t i) {
            values_.resize(this->space_.size(), Value());
            values_[this->edges_.children[i]] = self().value(id, i);
            open_.push(this->edges_.children[i]);
        });
    }

    Scorer scorer_;
    FlatArray<Value> values_;  // per node
    OpenQueue<Key, DiesWith::path, NodeQueue> open_;
    std::span<const float> scores_;  // scores of the edges of the node that is being expanded

private:
    Search& self() { return static_cast<Search&>(*this); }
};

}  // namespace fsplan
