// Follows the policy's first choice until a goal, a state seen before, a state without actions, or a limit. A step is an
// action.
#pragma once

#include "search/run.hpp"
#include "search/scorer.hpp"

namespace fsplan {

template <class R>
class Unroll {
public:
    explicit Unroll(R& run) : run_(run), space_(run.space), scorer_(run) {
        if (run.request.policy == nullptr) throw std::invalid_argument("unroll needs a policy");
    }

    bool step() {
        if (at_ == kNoState) start();
        Node& node = space_[at_];
        if (node.status() == NodeStatus::dead || node.status() == NodeStatus::closed) return false;
        node.become(NodeStatus::closed);
        if (space_.is_goal(at_)) return arrive(), false;
        const std::size_t choice = choose();
        if (choice == edges_.size()) return false;
        follow(edges_[choice]);
        return true;
    }

private:
    void start() {
        at_ = run_.evaluator.add_start();
        run_.raise_bound(space_[at_].h());
    }
    void arrive() {
        if (run_.accept_plan(path_)) run_.announce();
    }
    std::size_t choose() {
        edges_.clear();
        space_.expand(at_, run_.evaluator.at_generation(), [&](const Edge& edge) { edges_.add(edge, true); });
        return edges_.size() == 0 ? 0 : scorer_.first_choice(scorer_.score(at_, edges_));
    }

    // The path is kept: of several edges to the same state, the policy's need not be the cheapest.
    void follow(const Edge& edge) {
        if (space_.is_out_of_range(std::int64_t{path_.cost} + edge.cost)) throw std::overflow_error(kPlansTooExpensive);
        space_.relax(at_, edge);
        path_.plan.push_back(edge.action);
        path_.cost += edge.cost;
        at_ = edge.child;
    }

    R& run_;
    decltype(R::space)& space_;
    Scorer<R> scorer_;
    EdgeList edges_;
    StateId at_ = kNoState;
    Incumbent path_{{}, 0, 0};
};

struct UnrollSearch {
    static constexpr SearchInfo info{
        .name = "unroll",
        .summary = "Follows the policy to a goal, a state seen before or a limit.",
        .reads = "w policy",
        .proves = "nothing",
        .needs_admissible = false,
        .needs_policy = [](const SearchOptions&) { return true; },
        .guide_demand = [](const SearchRequest& request) { return guides_of_policy(request, true); }};
    template <class R>
    static auto make(R& run) {
        return Unroll<R>(run);
    }
};

}  // namespace fsplan
