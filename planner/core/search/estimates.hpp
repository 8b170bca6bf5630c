// Corrected estimates of the cost and the number of steps to a goal, for searches that order nodes by f̂ and d̂.
//
// The raw estimates are e = max(h, guide), with the cost of the relaxed plan as the guide, and d = its number of steps;
// state spaces without guides have e = d = h. Both are corrected by the single-step errors observed so far (Thayer,
// Dionne and Ruml, ICAPS 2011). Consider a node p with e = 10 and d = 5, whose best successor, by an action of cost 3,
// has e = 9 and d = 5. Had the estimates been right, 3 + 9 would be 10 and 1 + 5 would be 5: the step had an error of 2
// in cost and of 1 in steps. An error in steps counts as 0 at least and as 1 at most, as in the planner of Fickert, Gu
// and Ruml (AAAI 2022): the worst step takes the search no nearer to a goal. After n expansions with errors that add up
// to E (cost) and D (steps), a step takes the search nearer to the goal by 1 - D/n, so
//     d̂ = d / (1 - D/n) = d · n / (n - D)     and, as each of these steps costs E/n more than it seems,
//     ĥ = e + d̂ · E/n   = e + d · E / (n - D),
// in integers, rounded down. E below 0 counts as 0, and n - D as n/10 at least. A node keeps the estimates that were
// made when it was opened. As ĥ >= h, f̂ = g + ĥ >= f.
#pragma once

#include "search/loop.hpp"

namespace fsplan {

class Estimates {
public:
    explicit Estimates(Run& run) : space_(run.space), evaluator_(run.evaluator) {}

    // Computes the estimates of a node that a new path has opened.
    void make(StateId id) {
        made_.resize(space_.size(), {0, 0});
        const Cost raw = raw_cost(id);
        const Wide steps = evaluator_.steps(id);
        made_[id] = raw == kDeadEnd ? Made{kInfinite, kInfinite}
                                    : Made{saturated(space_[id].g + raw + steps * extra_cost_ / progress_),
                                           saturated(steps * expansions_ / progress_)};
    }
    Cost f_hat(StateId id) const { return made_[id].f_hat; }
    Cost d_hat(StateId id) const { return made_[id].d_hat; }

    // Records the single-step error of a node that is being expanded: the error of the step to its best successor,
    // which has the least cost + e, and among those the least d.
    void learn(StateId id, const EdgeList& edges) {
        Made best{kInfinite, kInfinite};
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Cost cost = saturated(Wide{edges.costs[i]} + raw_cost(edges.children[i]));
            const Cost steps = saturated(Wide{1} + evaluator_.steps(edges.children[i]));
            if (cost < best.f_hat || (cost == best.f_hat && steps < best.d_hat)) best = {cost, steps};
        }
        if (best.f_hat != kInfinite && raw_cost(id) != kDeadEnd)
            add_errors(std::int64_t{best.f_hat} - raw_cost(id), std::int64_t{best.d_hat} - evaluator_.steps(id));
    }

private:
    struct Made {
        Cost f_hat;
        Cost d_hat;
    };

    void add_errors(std::int64_t cost, std::int64_t steps) {
        expansions_ = ++learned_;
        cost_errors_ += cost;
        step_errors_ += std::clamp<std::int64_t>(steps, 0, 1);
        extra_cost_ = std::max<std::int64_t>(cost_errors_, 0);
        progress_ = std::max(learned_ - step_errors_, (learned_ + 9) / 10);
    }
    static Cost saturated(Wide value) { return static_cast<Cost>(std::min<Wide>(value, kInfinite)); }
    Cost raw_cost(StateId id) { return std::max(space_[id].h(), evaluator_.guide(id)); }

    SearchSpace& space_;
    Evaluator& evaluator_;
    FlatArray<Made> made_;  // per node
    std::int64_t cost_errors_ = 0;
    std::int64_t step_errors_ = 0;
    std::int64_t learned_ = 0;
    // n, E and n - D of the equations above; n starts at 1.
    std::int64_t expansions_ = 1;
    std::int64_t extra_cost_ = 0;
    std::int64_t progress_ = 1;
};

struct FHatKey {
    const Estimates* estimates;

    std::int64_t operator()(StateId id, const Node&) const { return estimates->f_hat(id); }
};

struct DHatKey {
    const Estimates* estimates;

    std::int64_t operator()(StateId id, const Node&) const { return estimates->d_hat(id); }
};

// Key: d without correction, the number of actions of a relaxed plan.
struct StepsKey {
    Evaluator* evaluator;

    std::int64_t operator()(StateId id, const Node&) const { return evaluator->steps(id); }
};

// Base of searches that compute these estimates for their nodes and have a queue by f for the bound.
template <class Search>
class EstimatingLoop : public Loop<Search> {
    friend Loop<Search>;

protected:
    explicit EstimatingLoop(Run& run) : Loop<Search>(run), estimates_(run), by_f_(run, FKey(), ties(run)) {}
    // Keys hold pointers to the estimates.
    EstimatingLoop(const EstimatingLoop&) = delete;
    EstimatingLoop& operator=(const EstimatingLoop&) = delete;

    static TieRule ties(const Run& run) { return TieRule(run.request.ties); }
    Cost least_f() { return by_f_.find_first() ? static_cast<Cost>(by_f_.first_key()) : kInfinite; }
    void expand(StateId id) {
        this->expand_scored(
            id, this->evaluator_.at_generation(), [&] { estimates_.learn(id, this->edges_); },
            [&](std::size_t i) { static_cast<Search&>(*this).enter(this->edges_.children[i]); });
    }

    Estimates estimates_;
    OpenQueue<FKey> by_f_;
};

}  // namespace fsplan
