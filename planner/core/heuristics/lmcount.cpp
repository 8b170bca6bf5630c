// Landmark counts. h is the number of landmarks that still have to be reached, or reached again; for lmcost it is the
// sum of their costs.
//
// Which landmarks have been reached depends on the path, not only on the state. So the set of reached landmarks is
// computed from the parent's set and stored for every evaluated node. A landmark counts as reached once it holds and
// all landmarks that come before it were reached on the path. A reached landmark counts again if it does not hold now
// and is a goal, or is needed immediately before a landmark that is not yet reached.
//
// The guide is h_FF for the same kind of costs, and the helpful actions are those of its relaxed plan and those that
// reach a landmark whose predecessors have all been reached (LAMA; Richter and Westphal 2010).
#include "containers/array.hpp"
#include "heuristics/guided_heuristic.hpp"
#include "landmarks/landmark_graph.hpp"
#include "relaxation/sum_exploration.hpp"

namespace fsplan {

namespace {

using Block = std::uint64_t;

// In lmcount every action costs 1. In lmcost it costs its own cost plus 1, so that actions of cost 0 count, too.
enum class Counted { steps, costs };

Relaxation with_costs(const Relaxation& relaxation, const GroundTask& task, Counted counted) {
    return with_costs(relaxation, [&](ActionId action) {
        return counted == Counted::steps ? 1 : saturating_add(task.cost[action], 1);
    });
}

// The landmarks of a task, compiled to tests on packed states; a set of landmarks is a row of bits.
class LandmarkTable {
public:
    LandmarkTable(const GroundTask& task, const Layout& layout, const Relaxation& relaxation, Budget& watch)
        : LandmarkTable(task, layout, find_landmarks(task, relaxation, watch)) {}
    LandmarkTable(const GroundTask& task, const Layout& layout, FoundLandmarks found)
        : landmarks_(std::move(found.landmarks)), preparation_(found.work), blocks_((landmarks_.size() + 63) / 64) {
        for (const Landmark& landmark : landmarks_) {
            for (const FactId fact : landmark.facts)
                for (const WordTest& test : layout.tests(task, {&fact, 1})) tests_.push_back(test);
            first_test_.push_back(static_cast<std::uint32_t>(tests_.size()));
        }
    }

    std::size_t blocks() const { return blocks_; }
    // Work that finding the landmarks took.
    std::uint64_t preparation() const { return preparation_; }
    std::size_t size() const { return landmarks_.size(); }
    const Landmark& operator[](std::size_t landmark) const { return landmarks_[landmark]; }
    static bool has(const Block* set, std::size_t landmark) { return set[landmark / 64] >> (landmark % 64) & 1; }

    bool holds_in(const Word* state, std::size_t landmark) const {
        for (auto i = first_test_[landmark]; i < first_test_[landmark + 1]; ++i)
            if ((state[tests_[i].word] & tests_[i].mask) == tests_[i].value) return true;
        return false;
    }
    bool is_due(const Block* reached, std::size_t landmark) const {
        return std::ranges::all_of(landmarks_[landmark].predecessors,
                                   [&](auto before) { return has(reached, before); });
    }
    // Computes the set `reached` of a state from the set `before` of its parent.
    void reach(const Word* state, const Block* before, Block* reached) const {
        std::copy_n(before, blocks_, reached);
        for (std::size_t i = 0; i < size(); ++i)
            if (!has(before, i) && holds_in(state, i) && is_due(before, i)) reached[i / 64] |= Block{1} << (i % 64);
    }
    bool is_needed(const Word* state, const Block* reached, std::size_t landmark) const {
        if (!has(reached, landmark)) return true;
        const Landmark& each = landmarks_[landmark];
        const auto is_open = [&](auto next) { return !has(reached, next); };
        if (!each.is_goal && std::ranges::none_of(each.needed_for, is_open)) return false;
        return !holds_in(state, landmark);
    }

private:
    std::vector<Landmark> landmarks_;
    std::uint64_t preparation_;
    std::size_t blocks_;
    std::vector<std::uint32_t> first_test_{0};
    std::vector<WordTest> tests_;
};

// Finds the applicable actions that reach a landmark whose predecessors have all been reached.
class LandmarkActions {
public:
    LandmarkActions(const GroundTask& task, const Layout& layout, const LandmarkTable& landmarks)
        : landmarks_(landmarks), tests_(task.action_count()) {
        if (task.has_derived())
            return;  // preconditions with derived variables could not be tested, because states are stored without these
        std::vector<std::vector<ActionId>> achievers(task.fact_count());
        for (ActionId action = 0; action < task.action_count(); ++action)
            for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e)
                achievers[task.effect[e]].push_back(action);
        for (std::size_t i = 0; i < landmarks.size(); ++i) {
            for (const FactId fact : landmarks[i].facts) append(task, layout, achievers[fact]);
            achievers_.end_row();
        }
    }

    // Collects actions that reach fact landmarks or, if there are none, disjunctive landmarks.
    void collect(const Word* state, const Block* reached, std::vector<ActionId>& actions) const {
        const std::size_t before = actions.size();
        for (const bool single : {true, false})
            if (actions.size() == before) collect(state, reached, single, actions);
    }

private:
    void append(const GroundTask& task, const Layout& layout, const std::vector<ActionId>& achievers) {
        for (const ActionId action : achievers) {
            achievers_.items.push_back(action);
            if (tests_[action].empty()) tests_[action] = layout.tests(task, task.precondition[action]);
        }
    }
    void collect(const Word* state, const Block* reached, bool single, std::vector<ActionId>& actions) const {
        for (std::size_t i = 0; i < achievers_.size(); ++i) {
            if ((landmarks_[i].facts.size() == 1) != single) continue;
            if (LandmarkTable::has(reached, i) || !landmarks_.is_due(reached, i)) continue;
            for (const ActionId action : achievers_[i])
                if (holds(tests_[action], state)) actions.push_back(action);
        }
    }

    const LandmarkTable& landmarks_;
    Rows achievers_;  // landmark -> actions that add one of its facts
    // Action -> tests of its precondition; empty for actions that reach no landmark.
    std::vector<std::vector<WordTest>> tests_;
};

// The set of reached landmarks of every evaluated node.
class ReachedSets {
public:
    explicit ReachedSets(std::size_t blocks) : blocks_(blocks), nothing_(blocks) {}

    const Block* of(StateId id) const { return knows(id) ? sets_.data() + place_[id] * blocks_ : nothing_.data(); }
    Block* add(StateId id) {
        if (id >= place_.size()) place_.resize(id + 1, kNone);
        if (place_[id] == kNone) {
            place_[id] = static_cast<std::uint32_t>(count_++);
            sets_.extend(blocks_);
        }
        return sets_.data() + place_[id] * blocks_;
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    bool knows(StateId id) const { return id < place_.size() && place_[id] != kNone; }

    std::size_t blocks_;
    std::size_t count_ = 0;
    std::vector<Block> nothing_;
    FlatArray<std::uint32_t> place_;  // per node
    FlatArray<Block> sets_;
};

template <Counted counted>
class LandmarkCountHeuristic : public GuidedHeuristic {
public:
    explicit LandmarkCountHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), relaxation_(with_costs(relaxation(input.watch), task_, counted)),
          exploration_(task_, layout_, relaxation_), landmarks_(task_, layout_, relaxation_, input.watch),
          actions_(task_, layout_, landmarks_), sets_(landmarks_.blocks()), alone_(landmarks_.blocks()) {
        add_work(landmarks_.preparation());
    }

    Evaluation evaluate(const Word* state) override {
        helpful_.clear();
        add_work(relaxation_.work() + landmarks_.size());
        const Cost h_add = exploration_.explore(state);
        if (h_add == kDeadEnd) return {kDeadEnd, kDeadEnd, kDeadEnd};
        const Block* reached = reached_in(state);
        const Cost h = count(state, reached);
        if (!guided()) return {h, h};
        const Cost guide = plan().read(exploration_, state);
        collect_helpful(state, reached);
        return {h, guide, plan().steps()};
    }
    std::span<const ActionId> helpful() override { return helpful_; }

private:
    const Block* reached_in(const Word* state) {
        const StateId id = node();
        Block* reached = id == kNoState ? alone_.data() : sets_.add(id);
        landmarks_.reach(state, sets_.of(parent()), reached);
        return reached;
    }
    Cost count(const Word* state, const Block* reached) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < landmarks_.size(); ++i)
            if (landmarks_.is_needed(state, reached, i)) sum += std::max(1, landmarks_[i].least_cost);
        return static_cast<Cost>(std::min<std::int64_t>(sum, kDeadEnd - 1));
    }
    void collect_helpful(const Word* state, const Block* reached) {
        const auto of_plan = plan().helpful();
        helpful_.assign(of_plan.begin(), of_plan.end());
        actions_.collect(state, reached, helpful_);
        sort_unique(helpful_);
    }

    Relaxation relaxation_;
    SumExploration exploration_;
    LandmarkTable landmarks_;
    LandmarkActions actions_;
    ReachedSets sets_;
    std::vector<Block> alone_;  // set of reached landmarks for states that are evaluated outside a search
    std::vector<ActionId> helpful_;
};

}  // namespace

const GroundHeuristicEntry lmcount_heuristic{
    .info = {.name = "lmcount",
             .summary = "number of landmarks not yet reached on the path to this state, or required again",
             .properties = {.admissible = false, .finds_dead_ends = true}},
    .make = make_from_input<LandmarkCountHeuristic<Counted::steps>>};

const GroundHeuristicEntry lmcost_heuristic{
    .info = {.name = "lmcost",
             .summary = "as lmcount, each landmark weighted by one plus the least cost of an achiever",
             .properties = {.admissible = false, .finds_dead_ends = true}},
    .make = make_from_input<LandmarkCountHeuristic<Counted::costs>>};

}  // namespace fsplan
