// h_max with sets of facts as bit sets: every round tests the preconditions of all operators, eight at a time
// (dense_scan.hpp). Testing an operator again is cheaper than remembering which operators need no test.
#pragma once

#include "relaxation/bit_queues.hpp"
#include "relaxation/dense_scan.hpp"
#include "relaxation/dense_supporters.hpp"
#include "relaxation/fact_reader.hpp"
#include "relaxation/goal_achievers.hpp"
#include "relaxation/max_exploration.hpp"

namespace fsplan {

template <std::size_t W>
class DenseExploration final : public MaxExploration {
public:
    DenseExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : relaxation_(relaxation), reader_(task, layout, relaxation), scan_(dense_scan<W>()) {
        for (auto fact : relaxation.fact_of) {
            set_of_fact_.emplace_back();
            if (fact != kIrrelevant) set_of_fact_.back().insert(fact);
        }
        goal_ = Set::of(relaxation.precondition[relaxation.goal()]);
        add_blocks(relaxation);
        if (is_layered()) achievers_.emplace(relaxation);
        found_.resize(classes_.size());
        due_.resize(classes_.size());
    }

    Cost explore(const Word* state, bool with_supporters) override {
        recording_ = with_supporters;
        if (is_layered()) return explore_layers(state);
        bool near = cost_.empty() || cost_.back() <= BitRing<W>::kReach;
        return near ? explore_with(ring_, state) : explore_with(heap_, state);
    }

    void supporters(PlanSteps& plan) override {
        if (!supporters_) supporters_.emplace(relaxation_, is_layered());
        supporters_->read(rounds_, plan);
    }

private:
    using Set = Bits<W>;

    // Merges operators with the same cost and preconditions. Unused lanes of a block have no preconditions and no
    // effects.
    void add_blocks(const Relaxation& relaxation) {
        std::map<Cost, std::map<std::vector<std::uint32_t>, Set>> classes;
        for (OperatorId op = 0; op < relaxation.goal(); ++op) {
            auto row = relaxation.precondition[op];
            auto& brings = classes[relaxation.cost[op]][{row.begin(), row.end()}];
            for (auto fact : relaxation.effect[op]) brings.insert(fact);
        }
        for (const auto& [cost, operators] : classes) {
            auto begin = static_cast<std::uint32_t>(blocks_.size());
            std::size_t lane = 0;
            for (const auto& [needs, brings] : operators) {
                if (lane % kBlockLanes == 0) blocks_.emplace_back();
                put(lane++ % kBlockLanes, needs, brings);
            }
            cost_.push_back(cost);
            classes_.push_back({begin, static_cast<std::uint32_t>(blocks_.size())});
        }
    }

    void put(std::size_t lane, const std::vector<std::uint32_t>& needs, const Set& brings) {
        const auto needed = Set::of(needs);
        for (std::size_t w = 0; w < W; ++w) {
            blocks_.back().needs[w][lane] = needed.words[w];
            blocks_.back().brings[w][lane] = brings.words[w];
        }
    }

    // Whether all operators have the same positive cost. Then every effect found in a round is reached in the next one.
    bool is_layered() const { return classes_.size() == 1 && cost_[0] > 0; }
    void look(const Set& reached) { scan_(blocks_.data(), classes_.data(), classes_.size(), reached, found_.data()); }

    void record(const Set& reached, Cost cost) {
        if (recording_) rounds_.add(reached, cost);
    }

    Set begin(const Word* state) {
        auto reached = reader_.read_set(state, set_of_fact_);
        rounds_.clear();
        record(reached, 0);
        return reached;
    }

    Cost explore_layers(const Word* state) {
        auto reached = begin(state);
        Cost cost = 0;
        for (auto missing = goal_.without(reached); !missing.empty(); missing = goal_.without(reached)) {
            cost = saturating_add(cost, cost_[0]);
            if (achievers_->achieve_all(missing, reached)) {
                record(goal_, cost);  // supporters() reads only the goal facts of the last round
                return cost;
            }
            look(reached);
            auto added = found_[0].without(reached);
            if (added.empty()) return kDeadEnd;
            reached |= added;
            record(reached, cost);
        }
        return cost;
    }

    template <class Queue>
    Cost explore_with(Queue& queue, const Word* state) {
        queue.clear();
        std::fill(due_.begin(), due_.end(), Set{});
        auto reached = begin(state);
        Cost cost = 0;
        while (!goal_.without(reached).empty()) {
            look(reached);
            schedule(queue, reached, cost);
            Set added;
            do {
                if (queue.empty()) return kDeadEnd;
                cost = queue.pop(added);
                added = added.without(reached);
            } while (added.empty());
            reached |= added;
            record(reached, cost);
        }
        return cost;
    }

    // Each effect of a class is queued once per exploration: later entries would cost at least as much.
    template <class Queue>
    void schedule(Queue& queue, const Set& reached, Cost cost) {
        for (std::size_t c = 0; c < classes_.size(); ++c) {
            auto added = found_[c].without(due_[c]).without(reached);
            if (added.empty()) continue;
            due_[c] |= added;
            queue.push(saturating_add(cost, cost_[c]), added);
        }
    }

    const Relaxation& relaxation_;
    FactReader reader_;
    DenseScan<W> scan_;
    std::vector<Set> set_of_fact_;  // fact of the task -> set with this fact
    Set goal_;
    std::optional<GoalAchievers<W>> achievers_;  // set if is_layered()
    std::vector<ScanBlock<W>> blocks_;
    std::vector<ClassRange> classes_;
    std::vector<Cost> cost_;        // per class, ascending
    std::vector<Set> found_, due_;  // per class
    BitRing<W> ring_;
    BitHeap<W> heap_;
    bool recording_ = false;
    ReachedByRound<W> rounds_;
    std::optional<DenseSupporters<W>> supporters_;
};

}  // namespace fsplan
