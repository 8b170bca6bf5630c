// LAMA's search (Richter and Westphal 2010): lazy search with two estimates and preferred operators, then restarts that
// weigh costs more and more.
//
// Evaluation is lazy: a node is queued with its parent's estimates and evaluated when it is expanded. There are four
// queues: by h and by the guide, each with all nodes or only those reached by helpful actions. The queue that had the
// fewest turns is next; progress, a new least h or guide, gives the queues of preferred nodes 1000 turns in advance.
// With the heuristic `lmcount` the estimates are landmark counts and h_FF.
//
// The first search is greedy. With `anytime`, after each plan the search restarts at the initial state with the next
// weight of g + weight * estimate; evaluations are kept, and nodes with g >= the plan's cost are pruned. Without the
// restart, decisions near the initial state, which were made when costs did not count, would be revised last.
//
// If the cheapest plan comes from another search, it may prune all plans that this weight would lead to. Then a phase that
// finds no cheaper plan ends after a number of expansions, which doubles each time; the weights are used in turns.
#include "search/loop.hpp"
#include "search/scorer.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

// The alternating queues described above.
template <class Queue, std::size_t kCount>
class Alternation {
public:
    template <class Make>
    explicit Alternation(Make make) : queues_{make(), make(), make(), make()} {
        static_assert(kCount == 4);
    }

    Queue& operator[](std::size_t i) { return queues_[i]; }
    bool find_first() {
        bool found = false;
        for (Queue& queue : queues_) found |= queue.find_first();
        return found;
    }
    // The queue with the fewest turns, the first among equals; to be called after find_first.
    Queue& next() {
        std::size_t best = kCount;
        for (std::size_t i = 0; i < kCount; ++i)
            if (queues_[i].find_first() && (best == kCount || turns_[i] < turns_[best])) best = i;
        ++turns_[best];
        return queues_[best];
    }
    void advance(std::size_t i, std::int64_t turns) { turns_[i] -= turns; }
    void clear() {
        for (Queue& queue : queues_) queue.clear();
        turns_.fill(0);
    }

private:
    std::array<Queue, kCount> queues_;
    std::array<std::int64_t, kCount> turns_{};
};

class Lama : public Loop<Lama> {
    using Base = Loop<Lama>;
    friend Base;

public:
    explicit Lama(Run& run) : Base(run), scorer_(run), queues_([&] { return queue(run); }) {}

private:
    using Base::edges_, Base::run_, Base::space_, Base::evaluator_;
    using Queue = OpenQueue<GivenKey>;
    static constexpr bool kKnowsLeastF = false;
    static constexpr std::int64_t kBoost = 1000;
    static constexpr std::size_t kFirstPatience = 1000;
    static constexpr std::array<std::int64_t, 5> kWeights{0, 5, 3, 2,
                                                          1};  // weight of the estimate; 0 means greedy search
    enum : std::size_t { kByH, kByGuide, kPreferredByH, kPreferredByGuide };
    static Queue queue(Run& run) { return {run, GivenKey(), TieRule({Tie::oldest})}; }

    bool is_greedy() const { return kWeights[phase_] == 0; }
    // Whether no further phase follows. Without a plan, the greedy search is the last phase: the task is unsolvable.
    bool is_last() const { return phase_ + 1 == kWeights.size() || !run_.request.anytime || !run_.has_plan(); }

    void enter(StateId id) {
        this->accept_if_goal(id);
        queues_[kByH].push(id, 0);
    }
    // kInfinite if no node is left and this proves that there is no cheaper plan. It proves nothing if a cheaper path to
    // an expanded node was ignored, which happens in the greedy search.
    Cost least_f() {
        const bool is_proof = is_last() && !(ignored_ && run_.has_plan());
        return queues_.find_first() || !is_proof ? 0 : kInfinite;
    }
    bool take_turn() {
        if (found_) return goes_on();
        if (!queues_.find_first()) return begin_next_phase();
        if (is_pruned_by_others() && expanded_ >= patience_) return begin_phase(is_last() ? 1 : phase_ + 1);
        const StateId id = queues_.next().pop();
        if (space_[id].awaits_evaluation()) evaluator_.evaluate(id);
        if (!space_[id].is_open() || run_.hopeless(space_[id])) return true;
        note_progress(id);
        expand(id);
        return true;
    }
    bool goes_on() {
        found_ = false;
        return run_.request.anytime && begin_next_phase();
    }
    // Starts the phase with the next weight; returns false after the last one.
    bool begin_next_phase() {
        if (is_last()) return queues_.find_first();
        return begin_phase(phase_ + 1);
    }
    bool begin_phase(std::size_t phase) {
        patience_ = std::max(patience_, 2 * expanded_);
        expanded_ = 0;
        phase_ = phase;
        least_h_ = least_guide_ = kInfinite;
        ignored_ = false;
        queues_.clear();
        queues_[kByH].push(space_.restart(), 0);
        return true;
    }
    bool is_pruned_by_others() const { return run_.request.anytime && run_.cost() < own_cost_; }
    void note_progress(StateId id) {
        const Cost h = space_[id].h(), guide = evaluator_.guide(id);
        if (h >= least_h_ && guide >= least_guide_) return;
        least_h_ = std::min(least_h_, h);
        least_guide_ = std::min(least_guide_, guide);
        for (const std::size_t i : {kPreferredByH, kPreferredByGuide}) queues_.advance(i, kBoost);
    }
    void expand(StateId id) {
        const std::int64_t h = space_[id].h(), guide = evaluator_.guide(id);
        ++expanded_;
        edges_.clear();
        space_.expand(id, evaluator_.on_surfacing(),
                      [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); });
        space_[id].become(NodeStatus::closed);
        scorer_.mark_helpful(id, edges_, preferred_);
        // Preferred successors come first: among equals the oldest leaves a queue first.
        for (const bool preferred : {true, false})
            for (const std::uint32_t i : edges_.improving())
                if ((preferred_[i] != 0) == preferred) open(id, edges_[i], preferred, h, guide);
    }
    void open(StateId id, const Edge& edge, bool preferred, std::int64_t h, std::int64_t guide) {
        const bool was_expanded = space_[edge.child].status() == NodeStatus::closed;
        if (!space_.relax(id, edge)) return;
        if (space_.is_goal(edge.child)) accept(edge.child);
        if (was_expanded && is_greedy()) {
            ignored_ = true;
            return;
        }
        push(edge.child, kByH, preferred, h);
        push(edge.child, kByGuide, preferred, guide);
    }
    void push(StateId id, std::size_t which, bool preferred, std::int64_t estimate) {
        const std::int64_t key = is_greedy() ? estimate : space_[id].g + kWeights[phase_] * estimate;
        queues_[which].push(id, key);
        if (preferred) queues_[which + kPreferredByH].push(id, key);
    }
    void accept(StateId goal) {
        const Cost before = run_.cost();
        this->accept_if_goal(goal);
        if (run_.cost() >= before) return;
        found_ = true;
        own_cost_ = run_.cost();
    }

    Scorer scorer_;
    Alternation<Queue, 4> queues_;
    std::vector<std::uint8_t> preferred_;  // per edge
    std::size_t phase_ = 0;
    Cost least_h_ = kInfinite;
    Cost least_guide_ = kInfinite;
    Cost own_cost_ = kInfinite;  // cost of the cheapest plan of this search
    std::size_t expanded_ = 0;   // expansions in this phase
    std::size_t patience_ = kFirstPatience;
    bool found_ = false;
    bool ignored_ = false;  // whether a cheaper path to an expanded node was ignored in this phase
};

}  // namespace

const SearchInfo lama_search{
    .name = "lama",
    .summary = "LAMA: lazy greedy search by h and h_FF in turn, helpful actions first; anytime: weighted restarts.",
    .reads = "w reopen uncertified anytime",
    .proves = "nothing",
    .defaults = "",
    .guide_demand = all_guides,
    .make = [](Run& run) { return steps_of<Lama>(run); }};

}  // namespace fsplan
