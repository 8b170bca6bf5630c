#include "relaxation/max_exploration.hpp"

#include "relaxation/batch_queues.hpp"
#include "relaxation/dense_exploration.hpp"
#include "relaxation/fact_reader.hpp"
#include "relaxation/incremental_exploration.hpp"
#include "relaxation/supporters.hpp"

namespace fsplan {

namespace {

// Row of a fact: for each achiever its number, its cost, the number of its preconditions, and the preconditions.
Rows achiever_rows(const Relaxation& relaxation) {
    const Rows achievers = transpose(relaxation.effect, relaxation.fact_count);
    Rows rows;
    for (std::size_t fact = 0; fact < relaxation.fact_count; ++fact) {
        for (auto op : achievers[fact]) {
            auto needs = relaxation.precondition[op];
            rows.items.insert(rows.items.end(), {op, static_cast<std::uint32_t>(relaxation.cost[op]),
                                                 static_cast<std::uint32_t>(needs.size())});
            rows.items.insert(rows.items.end(), needs.begin(), needs.end());
        }
        rows.end_row();
    }
    return rows;
}

class CounterExploration final : public MaxExploration {
public:
    CounterExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : relaxation_(relaxation), reader_(task, layout, relaxation), queues_(relaxation), supporters_(relaxation) {
        round_.resize(relaxation.fact_count);
    }

    Cost explore(const Word* state, bool) override {
        return queues_.with_suitable([&](auto& queue) { return explore_with(queue, state); });
    }

    void supporters(PlanSteps& plan) override {
        if (achievers_.size() == 0) achievers_ = achiever_rows(relaxation_);
        supporters_.read([&](auto fact) { return supporter(fact); }, [&](auto fact) { return round_[fact] == 0; },
                         plan);
    }

    std::size_t round_count() const { return cost_.size(); }

private:
    template <class Queue>
    Cost explore_with(Queue& queue, const Word* state) {
        queue.clear();
        missing_ = relaxation_.precondition_count;
        std::fill(round_.begin(), round_.end(), kNever);
        reader_.read(state, newly_reached_);
        for (auto fact : newly_reached_) round_[fact] = 0;
        cost_.assign(1, 0);
        const auto goal = relaxation_.goal();
        for (auto op : relaxation_.unconditional) queue.push(op, relaxation_.cost[op]);
        Cost key = 0;
        while (true) {
            for (auto fact : newly_reached_) {
                for (auto op : relaxation_.needed_by[fact]) {
                    if (--missing_[op] == 0) queue.push(op, saturating_add(key, relaxation_.cost[op]));
                }
            }
            if (missing_[goal] == 0) return key;
            if (queue.empty()) return kDeadEnd;
            batch_.clear();
            newly_reached_.clear();
            key = queue.pop(batch_);
            const auto round = static_cast<std::uint32_t>(cost_.size());
            cost_.push_back(key);
            for (auto op : batch_) {
                for (auto fact : relaxation_.effect[op]) {
                    if (round_[fact] != kNever) continue;
                    round_[fact] = round;
                    newly_reached_.push_back(fact);
                }
            }
        }
    }

    OperatorId supporter(std::uint32_t fact) const {
        const auto round = round_[fact];
        if (round == 0) return kNoOperator;
        auto best = kNoOperator;
        auto least = std::numeric_limits<std::int64_t>::max();
        const auto row = achievers_[fact];
        for (const auto* next = row.data(); next != row.data() + row.size();) {
            const auto op = next[0];
            const auto cost = static_cast<Cost>(next[1]);
            const auto* needed = next + 3;
            next = needed + next[2];
            std::uint32_t last = 0;
            std::int64_t sum = 0;
            for (; needed != next && last < round; ++needed) {
                const auto reached = round_[*needed];
                last = std::max(last, reached);  // kNever, for facts that are not reached, is greater than all rounds
                if (last < round) sum += cost_[reached];
            }
            if (last >= round || sum >= least || saturating_add(cost_[last], cost) != cost_[round]) continue;
            least = sum;
            best = op;
            if (sum == 0) break;
        }
        return best;
    }

    static constexpr std::uint32_t kNever = 0xFFFFFFFF;

    const Relaxation& relaxation_;
    FactReader reader_;
    BatchQueues queues_;
    std::vector<std::uint32_t> missing_;
    std::vector<std::uint32_t> round_;  // fact -> round in which it is reached; 0 for facts of the state
    std::vector<Cost> cost_;            // cost of each round
    std::vector<std::uint32_t> newly_reached_;
    std::vector<OperatorId> batch_;
    Rows achievers_;
    Supporters supporters_;
};

// Decides between bit sets and counters by the number of rounds from the initial state: bit sets test all operators in
// each.
bool dense_is_faster(const GroundTask& task, const Layout& layout, const Relaxation& relaxation) {
    if (relaxation.fact_count > kMostDense) return false;
    std::vector<Word> start(layout.stored_words);
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        if (task.layer[v] < 0) layout.field[v].set(start.data(), static_cast<Word>(task.initial[v]));
    }
    CounterExploration counters(task, layout, relaxation);
    counters.explore(start.data(), false);
    // Estimates in instructions. With bit sets a round visits all operators, eight at a time, word by word, per class
    // of cost. With counters each precondition and each effect is visited once.
    std::map<Cost, std::size_t> classes;
    for (auto cost : relaxation.cost) ++classes[cost];
    std::size_t round = 0;
    for (auto [cost, size] : classes) round += 3 + (size + 7) / 8 * ((relaxation.fact_count + 63) / 64);
    auto visits = relaxation.precondition.items.size() + relaxation.effect.items.size();
    return counters.round_count() * round * 2 < 5 * visits;
}

std::unique_ptr<MaxExploration> make_dense_exploration(const GroundTask& task, const Layout& layout,
                                                       const Relaxation& relaxation) {
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

}  // namespace

std::unique_ptr<MaxExploration> make_max_exploration(const GroundTask& task, const Layout& layout,
                                                     const Relaxation& relaxation) {
    if (dense_is_faster(task, layout, relaxation)) return make_dense_exploration(task, layout, relaxation);
    return std::make_unique<CounterExploration>(task, layout, relaxation);
}

std::unique_ptr<MaxExploration> make_exploration_of_sequence(const GroundTask& task, const Layout& layout,
                                                             Relaxation& relaxation) {
    if (!suits_incremental_exploration(relaxation) || dense_is_faster(task, layout, relaxation))
        return make_max_exploration(task, layout, relaxation);
    relaxation = without_detours(std::move(relaxation));
    auto exploration = make_incremental_exploration(task, layout, relaxation);
    relaxation.needed_by = {};  // only the constructor reads it
    return exploration;
}

}  // namespace fsplan
