// Follows the policy's first choices until a goal, a state seen before, a state without actions, or a limit. With the
// option `sample`, it draws every action from the policy's distribution, as the paper defines unrolling.
//
// Without masking, a drawn action may be inapplicable: then the run fails. A run with drawn actions may visit states
// again, because the next draw may differ; it ends after `steps` actions. Several runs use consecutive seeds, so each
// of them can be repeated alone.
#include "policies/random.hpp"
#include "search/run.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class Unroll {
public:
    explicit Unroll(Run& run)
        : run_(run), space_(run.space),
          scorer_(run, run.request.sample ? Reading::log_probabilities : Reading::first_choice),
          sample_(run.request.sample), most_steps_(sample_ && run.request.steps == 0 ? kSteps : run.request.steps),
          random_(seeded(0)) {
        if (run.request.policy == nullptr) throw std::invalid_argument("unroll needs a policy");
        if (!sample_ && run.request.samples > 1)
            throw std::invalid_argument("without --sample every run is the same: leave out --samples");
    }

    bool step() {
        if (at_ == kNoState) start();
        return take_step() || start_next_run();
    }

private:
    static constexpr std::uint64_t kSteps = 1000;

    void start() {
        at_ = start_ = run_.evaluator.add_start();
        run_.raise_bound(space_[at_].h());
        ++statistics().unrolled;
    }
    bool start_next_run() {
        if (statistics().unrolled == run_.request.samples) return false;
        random_ = seeded(statistics().unrolled++);
        at_ = start_;
        path_ = {{}, 0, 0};
        return true;
    }
    // Returns false when the run has ended.
    bool take_step() {
        Node& node = space_[at_];
        if (node.status() == NodeStatus::dead) return end("dead end");
        if (!sample_ && node.status() == NodeStatus::closed) return end("circle");
        node.become(NodeStatus::closed);
        if (space_.is_goal(at_)) return arrive(), end("goal");
        if (most_steps_ != 0 && path_.plan.size() == most_steps_) return end("step limit");
        list_edges();
        const std::size_t choice = choose();
        if (choice == edges_.size()) return end(edges_.size() == 0 ? "dead end" : "inapplicable action");
        follow(scorer_.reads_labels_only() ? space_.take(at_, edges_.actions[choice], first_values()) : edges_[choice]);
        return true;
    }
    bool end(const char* why) {
        statistics().unrolled_steps = path_.plan.size();
        statistics().unrolled_end = why;
        return false;
    }
    void arrive() {
        ++statistics().arrived;
        statistics().arrived_cost += static_cast<std::uint64_t>(path_.cost);
        if (run_.accept_plan(path_)) run_.announce();
    }
    // Runs that draw their actions continue at dead ends, too, so new states are not evaluated to detect them.
    FirstValues first_values() { return sample_ ? run_.evaluator.on_surfacing() : run_.evaluator.at_generation(); }
    // Only policies that read guides need the successors of all edges.
    void list_edges() {
        edges_.clear();
        if (scorer_.reads_labels_only())
            space_.expand_labels(at_, [&](ActionId action, Cost cost) { edges_.add(action, cost); });
        else space_.expand(at_, run_.evaluator.at_generation(), [&](const Edge& edge) { edges_.add(edge, true); });
    }
    // Index of the chosen edge; the number of edges if there is none.
    std::size_t choose() {
        if (edges_.size() == 0) return 0;
        const auto scores = scorer_.score(at_, edges_);
        return sample_ ? std::min(draw(scorer_.all_scores()), edges_.size()) : scorer_.first_choice(scores);
    }
    std::size_t draw(std::span<const float> scores) {
        double total = 0;
        for (const float score : scores) total += std::exp(double{score});
        double left = random_.uniform() * total;
        std::size_t drawn = 0;
        while (drawn + 1 < scores.size() && (left -= std::exp(double{scores[drawn]})) >= 0) ++drawn;
        return drawn;
    }
    // Stores the action, because several edges may lead to the same state, and the chosen one need not be the cheapest.
    void follow(const Edge& edge) {
        if (space_.is_out_of_range(std::int64_t{path_.cost} + edge.cost)) throw std::overflow_error(kPlansTooExpensive);
        if (!sample_) space_.relax(at_, edge);
        path_.plan.push_back(edge.action);
        path_.cost += edge.cost;
        at_ = edge.child;
    }
    Random seeded(std::uint64_t run) const { return {run_.request.seed + run, kDrawKey}; }
    Statistics& statistics() { return space_.statistics(); }

    static constexpr std::uint64_t kDrawKey = 0xD2A3;  // separates these random numbers from others of the same seed

    Run& run_;
    SearchSpace& space_;
    Scorer scorer_;
    bool sample_;
    std::uint64_t most_steps_;  // 0 means no limit
    Random random_;
    EdgeList edges_;
    StateId start_ = kNoState;
    StateId at_ = kNoState;
    Incumbent path_{{}, 0, 0};
};

}  // namespace

const SearchInfo unroll_search{
    .name = "unroll",
    .summary = "Follows the policy until a goal, a repeated state or a limit.",
    .reads = "w policy masked sample steps samples",
    .proves = "nothing",
    .defaults = "",
    .needs_admissible = false,
    .draws = [](const SearchOptions& options) { return options.sample; },
    .needs_policy = always,
    .guide_demand = [](const SearchRequest& request) { return guides_of_policy(request, !request.sample); },
    .make = [](Run& run) { return steps_of<Unroll>(run); }};

}  // namespace fsplan
