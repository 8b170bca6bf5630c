// Follows a policy: from state to state by its best action that leads to a state not visited before and not known to be
// a dead end. Where no such action is left it steps back and takes the next best one: a depth-first search in the
// policy's order, which ends with a plan, with the proof that there is none, or at a limit.
//
// A good policy needs one evaluation per step: a successor is evaluated only when its turn comes.
#include <ranges>
#include <vector>

#include "search/run.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class Follow {
public:
    explicit Follow(Run& run) : run_(run), space_(run.space), scorer_(run, Reading::ranks) {
        if (run.request.policy == nullptr) throw std::invalid_argument("follow needs a policy");
    }

    // Takes one step forward or back.
    bool step() {
        if (!started_) start();
        if (path_.empty()) return run_.raise_bound_to_end(), false;
        if (space_.is_goal(path_.back().taken.child)) return arrive(), false;
        advance();
        return true;
    }

private:
    // A state on the path: the edge that led to it, and its edges that have not been tried, the best one last.
    struct Visit {
        Edge taken;
        std::int64_t cost;  // cost of the path up to here
        std::vector<Edge> left;
        bool expanded = false;
    };

    void start() {
        started_ = true;
        const StateId start = run_.evaluator.add_start();
        run_.raise_bound(space_[start].h());
        if (space_[start].status() != NodeStatus::dead) visit({kNoAction, 0, start});
    }
    void arrive() {
        if (run_.accept_plan(plan())) run_.announce();
    }

    void visit(const Edge& edge) {
        const std::int64_t cost = (path_.empty() ? 0 : path_.back().cost) + edge.cost;
        if (space_.is_out_of_range(cost)) throw std::overflow_error(kPlansTooExpensive);
        space_[edge.child].become(NodeStatus::closed);
        path_.push_back({edge, cost, {}});
    }

    void advance() {
        if (!path_.back().expanded) expand(path_.back());
        std::vector<Edge>& left = path_.back().left;
        while (!left.empty() && !may_be_visited(left.back().child)) left.pop_back();
        if (left.empty()) return path_.pop_back();
        const Edge next = left.back();
        left.pop_back();
        visit(next);
    }

    void expand(Visit& at) {
        const StateId id = at.taken.child;
        edges_.clear();
        const auto add = [&](const Edge& edge) { edges_.add(edge, false); };
        // A policy that reads guides needs evaluated successors.
        if (scorer_.reads_labels_only()) space_.expand(id, run_.evaluator.on_surfacing(), add);
        else space_.expand(id, run_.evaluator.at_generation(), add);
        at.expanded = true;
        if (edges_.size() == 0) return;
        for (const std::int32_t i : scorer_.best_first(scorer_.score(id, edges_)) | std::views::reverse)
            at.left.push_back(edges_[i]);
    }

    bool may_be_visited(StateId id) {
        if (space_[id].awaits_evaluation() && space_[id].status() == NodeStatus::unreached) run_.evaluator.evaluate(id);
        return space_[id].status() == NodeStatus::unreached;
    }

    Incumbent plan() const {
        Incumbent found{{}, static_cast<Cost>(path_.back().cost), 0};
        for (std::size_t i = 1; i < path_.size(); ++i) found.plan.push_back(path_[i].taken.action);
        return found;
    }

    Run& run_;
    SearchSpace& space_;
    Scorer scorer_;
    EdgeList edges_;
    std::vector<Visit> path_;
    bool started_ = false;
};

}  // namespace

const SearchInfo follow_search{
    .name = "follow",
    .summary = "Follows the policy without visiting a state twice, and steps back where it cannot go on.",
    .reads = "w policy",
    .proves = "nothing",
    .needs_admissible = false,
    .needs_policy = always,
    .guide_demand = guides_of_scores,
    .make = [](Run& run) { return steps_of<Follow>(run); }};

}  // namespace fsplan
