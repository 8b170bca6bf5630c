// The heuristic `auto`, the default of searches that prove bounds: LM-cut at first; in long searches table look-ups,
// combined with LM-cut while LM-cut saves work. (The search `auto` is something else: planner/search/portfolio.)
//
// Most searches are shorter than the preparation of tables. So h is LM-cut's value at first. After a fixed amount of
// work the tables of saturated cost partitioning are prepared. From then on h is the maximum of their value, which takes
// little time, and of LM-cut's value as long as LM-cut saves work:
//
// Let d be the average gain of LM-cut over the look-ups for recent states, in steps of average cost, and k the work of
// one LM-cut evaluation relative to all other work per state. With LM-cut a search of branching factor b visits about
// b^d times fewer states, each k + 1 times as expensive. So LM-cut is used while d · log b >= log(k + 1). Every 32nd
// state is evaluated by LM-cut in any case, so that the decision adapts when the search reaches other regions.
//
// The decisions depend on counted work, not on time, so a run is repeatable. The maximum of admissible values is
// admissible. It is not consistent, and neither is LM-cut, so searches re-open nodes as they do with LM-cut.
#include <chrono>

#include "abstractions/partitioned_costs.hpp"
#include "base/memory.hpp"
#include "contract/request.hpp"
#include "heuristics/guided_heuristic.hpp"
#include "landmarks/incremental_cuts.hpp"

namespace fsplan {

namespace {

// Decides whether LM-cut saves work, by the inequality above for averages over recent states.
class CutDecision {
public:
    explicit CutDecision(const GroundTask& task) {
        const double sum = std::accumulate(task.cost.begin(), task.cost.end(), 0.0);
        step_ = std::max(1.0, sum / static_cast<double>(std::max<std::size_t>(task.cost.size(), 1)));
    }

    // Adds to the work other than LM-cut's.
    void add_other_work(std::uint64_t work) { other_work_ += static_cast<double>(work); }
    // Whether to evaluate LM-cut for the next state; must be called once per state.
    bool wants_cuts() {
        other_ = kMemory * other_ + (1 - kMemory) * std::exchange(other_work_, 0);
        return pays_ || number_++ % 32 == 0;
    }
    // Records that one evaluation of LM-cut raised h by `gain`.
    void learn(Cost gain, double work) {
        gain_ = kMemory * gain_ + (1 - kMemory) * std::max<Cost>(gain, 0) / step_;
        work_ = kMemory * work_ + (1 - kMemory) * work;
        if (++evaluations_ >= kFirst) pays_ = gain_ * kLogOfBranching >= std::log1p(work_ / std::max(other_, 1.0));
    }

private:
    static constexpr double kMemory = 0.98;  // decay factor; about the last fifty states count
    static constexpr int kFirst = 100;
    static constexpr double kLogOfBranching = 0.4;

    double step_;
    bool pays_ = true;
    std::uint32_t number_ = 0;
    int evaluations_ = 0;
    double gain_ = 0, work_ = 0,
           other_ = 0;       // decaying averages per state of LM-cut's gain, its work, and all other work
    double other_work_ = 0;  // work other than LM-cut's since the last state
};

class AutoHeuristic : public GuidedHeuristic {
public:
    explicit AutoHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), deadline_(Clock::now() + seconds(input.watch.seconds_left())),
          exploration_work_(relaxation(input.watch).work()), cuts_(input.task, input.layout, relaxation()),
          decision_(input.task) {}

    Evaluation evaluate(const Word* state) override {
        const Cost h = value(state);
        if (!guided()) return {h, h};
        decision_.add_other_work(exploration_work_);
        return guide_after(h == kDeadEnd ? kDeadEnd : explore_max(state), state, h);
    }
    bool has_cheap_evaluation() const override { return true; }
    // Computes the guide, and as h the maximum of h_max and the table look-ups, without LM-cut.
    Evaluation evaluate_cheaply(const Word* state) override {
        decision_.add_other_work(exploration_work_ + kWorkOfState);
        const Cost known = look_up(state);
        if (known == kDeadEnd) return guide_after(kDeadEnd, state, kDeadEnd);
        const Evaluation found = explore_guide(state);
        return {std::max(known, found.h), found.guide, found.steps};
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t kWorkBeforeTables = 100'000'000;
    // Peak memory during the preparation; most tables are far smaller.
    static constexpr std::size_t kMemoryOfTables = 200'000'000;

    static Clock::duration seconds(double number) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(number, 1e8)));
    }

    Cost value(const Word* state) {
        if (!prepared_ && work() >= kWorkBeforeTables) prepare();
        if (!prepared_) return by_cuts(state);
        decision_.add_other_work(kWorkOfState);
        const Cost known = look_up(state);
        if (known == kDeadEnd || !decision_.wants_cuts()) return known;
        const std::uint64_t before = work();
        const Cost found = by_cuts(state);
        if (found != kDeadEnd) decision_.learn(found - known, static_cast<double>(work() - before));
        return std::max(known, found);
    }
    // kDeadEnd if the tables detect a dead end.
    Cost look_up(const Word* state) {
        if (!tables_) return 0;
        const std::uint64_t before = tables_->work();
        const Cost known = tables_->value(state);
        add_work(tables_->work() - before);
        decision_.add_other_work(tables_->work() - before);
        return known;
    }
    Cost by_cuts(const Word* state) {
        const std::uint64_t before = cuts_.work();
        const Cost found = cuts_.sum(state, {node(), parent(), parent_state()});
        add_work(cuts_.work() - before);
        return found;
    }
    // If time runs out during the preparation, there are no tables; the search itself ends at its time limit soon after.
    void prepare() {
        prepared_ = true;
        if (memory_limit_bytes != 0 && resident_bytes() + kMemoryOfTables > memory_limit_bytes) return;
        const double left = std::chrono::duration<double>(deadline_ - Clock::now()).count();
        try {
            Budget watch(std::max(left, 1e-3), 0, {});
            tables_.emplace(task_, layout_, watch);
            add_work(tables_->preparation());
        } catch (const LimitReached&) {}
    }

    Clock::time_point deadline_;
    std::uint64_t exploration_work_;
    IncrementalCuts cuts_;
    std::optional<PartitionedCosts> tables_;
    bool prepared_ = false;  // whether the preparation of the tables was tried
    CutDecision decision_;
};

}  // namespace

const GroundHeuristicEntry auto_heuristic{
    .info = {.name = "auto",
             .summary = "LM-cut; in long searches the maximum with scp, and LM-cut only while it saves work",
             .properties = {.admissible = true},
             .expensive = true,
             .strength = 4},
    .make = make_from_input<AutoHeuristic>};

}  // namespace fsplan
