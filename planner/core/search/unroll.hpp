// Follows the policy's first choice until a goal, a state seen before, a state without actions, or a limit.
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

    void search() {
        StateId id = run_.evaluator.add_start();
        run_.prove(space_[id].h());
        while (space_[id].status() != NodeStatus::dead && space_[id].status() != NodeStatus::closed) {
            space_[id].become(NodeStatus::closed);
            if (space_.is_goal(id)) {
                run_.accept_plan(path_);
                run_.announce();
                return;
            }
            const std::size_t choice = choose(id);
            if (choice == edges_.size()) return;
            follow(id, edges_[choice]);
            id = edges_.children[choice];
        }
    }

private:
    std::size_t choose(StateId id) {
        edges_.clear();
        space_.expand(id, run_.evaluator.at_generation(), [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); });
        return edges_.size() == 0 ? 0 : scorer_.first_choice(scorer_.score(id, edges_));
    }

    // The path is kept: of several edges to the same state, the policy's need not be the cheapest.
    void follow(StateId id, const Edge& edge) {
        if (space_.is_out_of_range(std::int64_t{path_.cost} + edge.cost)) throw std::overflow_error(kPlansTooExpensive);
        space_.relax(id, edge);
        path_.plan.push_back(edge.action);
        path_.cost += edge.cost;
    }

    R& run_;
    decltype(R::space)& space_;
    Scorer<R> scorer_;
    EdgeList edges_;
    Incumbent path_{{}, 0, 0};
};

struct UnrollSearch {
    static constexpr SearchInfo info{
        .name = "unroll",
        .summary = "Follows the policy to a goal, a state seen before or a limit.",
        .reads = "w policy",
        .proves = "nothing",
        .needs_admissible = false,
        .needs_policy = [](const SearchRequest&) { return true; },
        .guide_demand = [](const SearchRequest& request) { return guides_of_policy(request, true); }};
    template <class R>
    static void search(R& run) {
        Unroll<R>(run).search();
    }
};

}  // namespace fsplan
