// Measures the progress of a path: h is the number of unsatisfied goal facts, the guide is the number of facts of a
// relaxed plan that the path has not reached yet. These are #g and #r of best-first width search (Lipovetzky and
// Geffner, AAAI 2017).
//
// A relaxed plan with unit costs is computed at the initial state and whenever fewer goal facts are unsatisfied than at
// the parent. Its facts are those that its actions add and that do not hold yet. The guide counts those of its facts
// that have not been true in any state of the path since then. Most evaluations need no exploration, so they take little
// longer than generating the state. An exploration also detects dead ends.
#include "containers/array.hpp"
#include "heuristics/goal_counter.hpp"
#include "heuristics/ground_heuristic.hpp"
#include "relaxation/plan_steps.hpp"
#include "relaxation/sum_exploration.hpp"

namespace fsplan {

namespace {

class ProgressHeuristic : public GroundHeuristic {
public:
    explicit ProgressHeuristic(const HeuristicInput& input)
        : task_(input.task), layout_(input.layout), goals_(task_, layout_),
          relaxation_(with_costs(relax(task_, Duplicates::merge, input.watch), [](ActionId) { return 1; })),
          exploration_(task_, layout_, relaxation_), steps_(task_.action_count(), false) {}

    Evaluation evaluate(const Word* state) override {
        const Cost open = goals_.count_open(state);
        const bool goes_on = knows(parent()) && paths_[parent()].open <= open;
        Path path{open, goes_on ? paths_[parent()].plan : make_plan(state), bits_.size()};
        if (path.plan == kNone) return {kDeadEnd, kDeadEnd, kDeadEnd};
        const Cost missing = follow(path, goes_on ? paths_[parent()].bits : kNone, state);
        keep(path);
        return {open, missing};
    }
    std::span<const ActionId> helpful() override { return {}; }
    void want_guide(bool) override {}

private:
    using Block = std::uint64_t;
    using Tests = std::vector<WordTest>;
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    struct Path {
        Cost open;         // number of unsatisfied goal facts
        std::size_t plan;  // index in plans_; kNone if the node is a dead end or was not evaluated
        std::size_t bits;  // index of its set of reached facts in bits_
    };

    bool knows(StateId id) const { return id < paths_.size() && paths_[id].plan != kNone; }
    // Stores the path data of the current node; outside a search nothing is stored.
    void keep(const Path& path) {
        if (node() == kNoState) return;
        if (node() >= paths_.size()) paths_.resize(node() + 1, {0, kNone, 0});
        paths_[node()] = path;
    }
    // Number of facts of the path's relaxed plan that have not been reached. The parent's set begins at bits_[before].
    Cost follow(const Path& path, std::size_t before, const Word* state) {
        const Tests& tests = plans_[path.plan];
        add_work(tests.size());
        const std::size_t blocks = (tests.size() + 63) / 64;
        Block* reached = bits_.extend(blocks);
        for (std::size_t i = 0; i < blocks; ++i) reached[i] = before == kNone ? 0 : bits_[before + i];
        Cost missing = 0;
        for (std::size_t i = 0; i < tests.size(); ++i) {
            Block& block = reached[i / 64];
            if (holds({&tests[i], 1}, state)) block |= Block{1} << (i % 64);
            missing += (block >> (i % 64) & 1) == 0;
        }
        return missing;
    }
    std::size_t make_plan(const Word* state) {
        add_work(relaxation_.work());
        if (exploration_.explore(state) == kDeadEnd) return kNone;
        steps_.clear();
        exploration_.supporters(steps_);
        facts_.clear();
        for (const ActionId action : steps_.candidates())
            for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
                if (relaxation_.fact_of[task_.effect[e]] != kIrrelevant) facts_.push_back(task_.effect[e]);
        sort_unique(facts_);
        Tests& tests = plans_.emplace_back();
        for (const FactId& fact : facts_)
            for (const WordTest& test : layout_.tests(task_, {&fact, 1}))
                if (!holds({&test, 1}, state)) tests.push_back(test);
        return plans_.size() - 1;
    }

    const GroundTask& task_;
    const Layout& layout_;
    GoalCounter goals_;
    Relaxation relaxation_;
    SumExploration exploration_;
    PlanSteps steps_;
    std::vector<FactId> facts_;
    std::vector<Tests> plans_;  // for each relaxed plan: one test per fact
    FlatArray<Path> paths_;     // per node
    FlatArray<Block> bits_;
};

}  // namespace

const GroundHeuristicEntry progress_heuristic{
    .info = {.name = "progress",
             .summary = "number of unsatisfied goals; ties by relaxed-plan facts not yet reached on this path",
             .properties = {.admissible = false}},
    .make = make_from_input<ProgressHeuristic>};

}  // namespace fsplan
