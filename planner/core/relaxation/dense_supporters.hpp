// Extracts the operators of a relaxed plan with sets of facts as bit sets (see MaxExploration::supporters).
//
// The preconditions of the supporter of a fact were reached in earlier rounds. Going through the rounds backwards, one
// set of needed facts suffices: a fact is visited after every fact that needs it.
#pragma once

#include "relaxation/bits.hpp"
#include "relaxation/max_exploration.hpp"

namespace fsplan {

// Per round: the facts reached up to this round and the cost of the round.
template <std::size_t W>
struct ReachedByRound {
    std::vector<Bits<W>> facts;
    std::vector<Cost> cost;

    void clear() {
        facts.clear();
        cost.clear();
    }
    void add(const Bits<W>& reached, Cost at) {
        facts.push_back(reached);
        cost.push_back(at);
    }
    // The round of a fact that was reached before the given round, by a branch-free binary search.
    std::size_t round_of(std::uint32_t fact, std::size_t before) const {
        std::size_t first = 0;
        for (auto count = before; count > 1;) {
            const auto half = count / 2;
            first += facts[first + half - 1].contains(fact) ? 0 : half;
            count -= half;
        }
        return first;
    }
};

template <std::size_t W>
class DenseSupporters {
public:
    // same_cost: all operators have the same cost, which is not 0.
    DenseSupporters(const Relaxation& relaxation, bool same_cost) : same_cost_(same_cost) {
        const Rows achievers = transpose(relaxation.effect, relaxation.fact_count);
        for (std::size_t fact = 0; fact < relaxation.fact_count; ++fact) {
            for (auto op : achievers[fact])
                achievers_.push_back(
                    {Bits<W>::of(relaxation.precondition[op]), relaxation.action[op], relaxation.cost[op]});
            begin_.push_back(static_cast<std::uint32_t>(achievers_.size()));
        }
        goal_ = Bits<W>::of(relaxation.precondition[relaxation.goal()]);
    }

    void read(const ReachedByRound<W>& reached, PlanSteps& plan) {
        auto needed = goal_;
        for (auto round = reached.facts.size() - 1; round > 0; --round) {
            const auto& before = reached.facts[round - 1];
            needed.without(before).for_each([&](auto fact) {
                const auto& best = choose(fact, reached, round);
                needed |= best.needs;
                plan.add(best.action, best.cost, best.needs.without(reached.facts[0]).empty());
            });
            needed &= before;
        }
    }

private:
    struct Achiever {
        Bits<W> needs;
        ActionId action;
        Cost cost;
    };

    bool is_ready(const Achiever& achiever, const ReachedByRound<W>& reached, std::size_t round) const {
        return achiever.needs.without(reached.facts[round - 1]).empty();
    }

    const Achiever& choose(std::uint32_t fact, const ReachedByRound<W>& reached, std::size_t round) const {
        const std::span row(achievers_.data() + begin_[fact], achievers_.data() + begin_[fact + 1]);
        std::size_t first = 0, count = 0;
        for (auto i = row.size(); i-- > 0;) {  // branch-free: the outcome of is_ready is unpredictable
            const bool ready = is_ready(row[i], reached, round);
            first = ready ? i : first;
            count += ready;
        }
        // With equal costs all candidates have the same greatest precondition cost, so one with at most one precondition
        // outside the state has the least sum.
        if (same_cost_ && row[first].needs.without(reached.facts[0]).has_at_most_one()) return row[first];
        return count == 1 ? row[first] : cheapest(row, reached, round);
    }

    const Achiever& cheapest(std::span<const Achiever> row, const ReachedByRound<W>& reached, std::size_t round) const {
        const Achiever* best = row.data();  // the result if no achiever passes the tests below
        auto least = std::numeric_limits<std::int64_t>::max();
        for (const auto& achiever : row) {
            if (!is_ready(achiever, reached, round)) continue;
            Cost last = 0;
            std::int64_t sum = 0;
            achiever.needs.without(reached.facts[0]).for_each([&](auto fact) {
                const auto cost = reached.cost[reached.round_of(fact, round)];
                last = std::max(last, cost);
                sum += cost;
            });
            if (sum >= least || saturating_add(last, achiever.cost) != reached.cost[round]) continue;
            least = sum;
            best = &achiever;
            if (sum == 0) break;
        }
        return *best;
    }

    std::vector<std::uint32_t> begin_{0};  // fact -> achievers, by operator number
    std::vector<Achiever> achievers_;
    Bits<W> goal_;
    bool same_cost_;
};

}  // namespace fsplan
