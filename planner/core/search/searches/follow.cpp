// Follows a policy from state to state, by its best action that leads to a state which has not been visited and is not
// a recognised dead end. After a cycle or a dead end the search backtracks to another visited state, and continues from
// there with its next best action. It ends with a plan, with a proof that there is none, or at a limit.
//
// Backtracking. Let l be the log-probability of the best untried action of a visited state, and l* that of its best
// action. Two rules choose the state alternately; of equal states, the one that was tried last is chosen:
//   - the least (l* - l) - kDepthBonus · (depth of the state). The gap l* - l alone backtracks too often to the first
//     states, and the depth alone is chronological backtracking, which explores all of a trap before it leaves it;
//   - the least h_FF, then the least l* - l, if the policy computes h_FF or, without a ground task, counts the
//     unsatisfied goals instead. This continues from the state that is nearest to the goal, as greedy best-first search
//     does, with the policy's order of its actions.
// docs/searches.md compares these rules with others, Levin tree search among them.
//
// The actions of a state are scored by their labels, and a successor is generated and evaluated when its action is
// taken, so a good policy needs one state per step, however many actions are applicable. Only the kKept best actions of
// a state are stored; when all of them have been tried, the state is scored again. A policy that reads guides needs
// the successors of all actions.
#include <ranges>

#include "contract/state_guide.hpp"
#include "search/run.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class Follow {
public:
    explicit Follow(Run& run)
        : run_(run), space_(run.space), scorer_(run, Reading::log_probabilities),
          guide_(dynamic_cast<const GuidesStates*>(run.request.policy.get())) {
        if (run.request.policy == nullptr) throw std::invalid_argument("follow needs a policy");
    }

    // Takes one action.
    bool step() {
        if (visits_.empty()) start();
        if (at_ == kNoVisit && !go_back()) return run_.raise_bound_to_end(), false;
        if (space_.is_goal(visits_[at_].taken.child)) return arrive(), false;
        advance();
        return true;
    }

private:
    using VisitId = std::uint32_t;
    static constexpr VisitId kNoVisit = std::numeric_limits<VisitId>::max();
    static constexpr std::size_t kKept = 16;
    static constexpr double kDepthBonus = 0.15;  // about seven steps of depth outweigh a gap of 1 in log-probability

    // An edge without a child has not been generated yet.
    struct Choice {
        Edge edge;
        float score;
    };
    struct Visit {
        Edge taken;  // the edge from the parent
        VisitId parent;
        std::uint32_t depth;
        std::int64_t cost;           // cost of the path up to here
        float best = 0;              // score of the best action
        std::vector<Choice> next{};  // the next best actions, the best one last
        std::size_t listed = 0;      // number of actions that have been in `next`
        std::uint32_t tried = 0;     // number of actions that were taken
        Cost guide = 0;              // h_FF, if the policy computes it
        bool has_more = true;        // whether there are further actions
    };
    // A visited state that has an untried action.
    struct Fork {
        Cost guide;  // compared first; 0 where h_FF does not matter
        double key;
        std::uint64_t time;  // when it was added
        VisitId visit;
        std::uint32_t tried;  // the fork is stale if further actions of the state have been tried
        // Whether the other one is next.
        bool operator<(const Fork& other) const {
            return std::tuple(other.guide, other.key, time) < std::tuple(guide, key, other.time);
        }
    };
    using Forks = std::priority_queue<Fork>;

    void start() {
        const StateId start = run_.evaluator.add_start();
        run_.raise_bound(space_[start].h());
        const bool dead = space_[start].status() == NodeStatus::dead;
        visit({{kNoAction, 0, start}, kNoVisit, 0, 0});
        if (dead) at_ = kNoVisit;
    }
    void arrive() {
        if (run_.accept_plan(plan())) run_.announce();
    }
    void visit(Visit visit) {
        if (space_.is_out_of_range(visit.cost)) throw std::overflow_error(kPlansTooExpensive);
        space_[visit.taken.child].become(NodeStatus::closed);
        at_ = static_cast<VisitId>(visits_.size());
        visits_.push_back(std::move(visit));
    }
    bool go_back() {
        Forks& forks = guide_ != nullptr && turn_++ % 2 != 0 ? by_guide_ : by_depth_;
        while (!forks.empty() && at_ == kNoVisit) {
            const Fork fork = forks.top();
            forks.pop();
            if (visits_[fork.visit].tried == fork.tried) at_ = fork.visit;
        }
        return at_ != kNoVisit;
    }

    // Takes the best untried action of the current state.
    void advance() {
        const VisitId parent = std::exchange(at_, kNoVisit);
        Visit& from = visits_[parent];
        list_next(from);
        if (from.next.empty()) return;
        Edge edge = from.next.back().edge;
        from.next.pop_back();
        ++from.tried;
        add_fork(parent);
        if (edge.child == kNoState) edge = take(from.taken.child, edge.action);
        if (space_[edge.child].status() == NodeStatus::unreached)
            visit({edge, parent, from.depth + 1, from.cost + edge.cost});
    }
    // States are evaluated to find dead ends, unless the policy finds them when it scores the state.
    Edge take(StateId from, ActionId action) {
        if (guide_ == nullptr) return space_.take(from, action, run_.evaluator.at_generation());
        space_.tick();
        return space_.take(from, action, run_.evaluator.on_surfacing());
    }
    void add_fork(VisitId id) {
        Visit& at = visits_[id];
        list_next(at);
        if (at.next.empty()) return;
        const double gap = double{at.best} - at.next.back().score;
        by_depth_.push({0, gap - kDepthBonus * at.depth, time_, id, at.tried});
        if (guide_ != nullptr) by_guide_.push({at.guide, gap, time_, id, at.tried});
        ++time_;
    }

    // If all listed actions have been taken, lists the next best ones.
    void list_next(Visit& at) {
        if (!at.next.empty() || !at.has_more) return;
        list_edges(at.taken.child, at.listed == 0);
        at.has_more = false;
        if (edges_.size() == 0) return;
        const auto scores = scorer_.score(at.taken.child, edges_);
        if (guide_ != nullptr) at.guide = guide_->guide();
        if (at.guide == kDeadEnd) return mark_dead(at.taken.child);
        const auto best = scorer_.best_first(scores, scorer_.reads_labels_only() ? at.listed + kKept : Scorer::kAll);
        at.best = scores[static_cast<std::size_t>(best[0])];
        for (const std::int32_t i : best.subspan(at.listed) | std::views::reverse)
            at.next.push_back({edges_[i], scores[static_cast<std::size_t>(i)]});
        at.listed = best.size();
        at.has_more = best.size() < edges_.size();
    }
    void mark_dead(StateId id) {
        space_[id].become(NodeStatus::dead);
        ++space_.statistics().dead_ends;
    }
    void list_edges(StateId id, bool is_first_time) {
        edges_.clear();
        const auto add = [&](ActionId action, Cost cost) { edges_.add(action, cost); };
        if (!scorer_.reads_labels_only())
            space_.expand(id, run_.evaluator.at_generation(), [&](const Edge& edge) { edges_.add(edge, false); });
        else if (is_first_time) space_.expand_labels(id, add);
        else space_.labels(id, add);
    }

    Incumbent plan() const {
        Incumbent found{{}, static_cast<Cost>(visits_[at_].cost), 0};
        for (VisitId i = at_; visits_[i].parent != kNoVisit; i = visits_[i].parent)
            found.plan.push_back(visits_[i].taken.action);
        std::ranges::reverse(found.plan);
        return found;
    }

    Run& run_;
    SearchSpace& space_;
    Scorer scorer_;
    const GuidesStates* guide_;  // the policy, if it computes h_FF; otherwise null
    EdgeList edges_;
    std::vector<Visit> visits_;
    Forks by_depth_, by_guide_;  // every visited state with an untried action, except at_
    std::uint64_t time_ = 0, turn_ = 0;
    VisitId at_ = kNoVisit;  // state from which the policy is followed; kNoVisit after a cycle or a dead end
};

}  // namespace

const SearchInfo follow_search{
    .name = "follow",
    .summary =
        "Follows the policy to unvisited states; after a cycle or a dead end it backtracks to the state whose best "
        "untried action loses least log π, or of least h_FF.",
    .reads = "w policy",
    .proves = "nothing",
    .defaults = "",
    .needs_admissible = false,
    .needs_policy = always,
    .guide_demand = guides_of_scores,
    .make = [](Run& run) { return steps_of<Follow>(run); }};

}  // namespace fsplan
