#include "ground/max_exploration.hpp"

#include <algorithm>
#include <map>

#include "ground/batch_queues.hpp"
#include "ground/dense_exploration.hpp"
#include "ground/fact_reader.hpp"

namespace fsplan {

namespace {

class CounterExploration final : public MaxExploration {
public:
    CounterExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : relaxation_(relaxation), reader_(task, layout, relaxation), queues_(relaxation) {
        for (std::size_t op = 0; op < relaxation.operator_count(); ++op) {
            precondition_count_.push_back(static_cast<std::uint32_t>(relaxation.precondition[op].size()));
        }
        reached_.resize(relaxation.fact_count);
    }

    Cost explore(const Word* state, Rounds* rounds) override {
        return queues_.with_suitable([&](auto& queue) { return explore_with(queue, state, rounds); });
    }

private:
    template <class Queue>
    Cost explore_with(Queue& queue, const Word* state, Rounds* rounds) {
        queue.clear();
        missing_ = precondition_count_;
        std::fill(reached_.begin(), reached_.end(), 0);
        reader_.read(state, fresh_);
        for (auto fact : fresh_) reached_[fact] = 1;
        if (rounds != nullptr) rounds->clear();
        const auto goal = relaxation_.goal();
        for (auto op : relaxation_.unconditional) queue.push(op, relaxation_.cost[op]);
        Cost key = 0;
        while (true) {
            if (rounds != nullptr) {
                for (auto fact : fresh_) rounds->reach(fact);
            }
            for (auto fact : fresh_) {
                for (auto op : relaxation_.needed_by[fact]) {
                    if (--missing_[op] == 0) queue.push(op, saturating_add(key, relaxation_.cost[op]));
                }
            }
            if (missing_[goal] == 0) return key;
            if (queue.empty()) return kDeadEnd;
            batch_.clear();
            fresh_.clear();
            key = queue.pop(batch_);
            for (auto op : batch_) {
                for (auto fact : relaxation_.effect[op]) {
                    if (reached_[fact]) continue;
                    reached_[fact] = 1;
                    fresh_.push_back(fact);
                }
            }
            if (rounds != nullptr) rounds->begin(key);
        }
    }

    const Relaxation& relaxation_;
    FactReader reader_;
    BatchQueues queues_;
    std::vector<std::uint32_t> precondition_count_, missing_;
    std::vector<std::uint8_t> reached_;
    std::vector<std::uint32_t> fresh_;
    std::vector<OperatorId> batch_;
};

// Which way is faster depends on how often all operators would have to be looked at: in the start state, that is known.
bool dense_is_faster(const GroundTask& task, const Layout& layout, const Relaxation& relaxation) {
    if (relaxation.fact_count > kMostDense) return false;
    std::vector<Word> start(layout.stored_words);
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        if (task.layer[v] < 0) layout.field[v].set(start.data(), static_cast<Word>(task.initial[v]));
    }
    Rounds rounds;
    rounds.of_fact.resize(relaxation.fact_count);
    CounterExploration(task, layout, relaxation).explore(start.data(), &rounds);
    // In units of about one instruction: a round looks at a word of facts of eight operators at a time, class by class
    // of cost; a counter, a fact it brings and what goes with them are visited once.
    std::map<Cost, std::size_t> classes;
    for (auto cost : relaxation.cost) ++classes[cost];
    std::size_t round = 0;
    for (auto [cost, size] : classes) round += 3 + (size + 7) / 8 * ((relaxation.fact_count + 63) / 64);
    auto counters = relaxation.precondition.items.size() + relaxation.effect.items.size();
    return rounds.cost.size() * round * 2 < 5 * counters;
}

}  // namespace

std::unique_ptr<MaxExploration> make_max_exploration(const GroundTask& task, const Layout& layout,
                                                     const Relaxation& relaxation) {
    if (!dense_is_faster(task, layout, relaxation)) return std::make_unique<CounterExploration>(task, layout, relaxation);
    switch ((relaxation.fact_count + 63) / 64) {
        case 0:
        case 1: return std::make_unique<DenseExploration<1>>(task, layout, relaxation);
        case 2: return std::make_unique<DenseExploration<2>>(task, layout, relaxation);
        case 3: return std::make_unique<DenseExploration<3>>(task, layout, relaxation);
        case 4: return std::make_unique<DenseExploration<4>>(task, layout, relaxation);
        case 5:
        case 6: return std::make_unique<DenseExploration<6>>(task, layout, relaxation);
        default: return std::make_unique<DenseExploration<8>>(task, layout, relaxation);
    }
}

}  // namespace fsplan
