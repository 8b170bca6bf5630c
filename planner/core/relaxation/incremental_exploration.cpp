#include "relaxation/incremental_exploration.hpp"

#include "relaxation/fact_reader.hpp"
#include "relaxation/supporters.hpp"

namespace fsplan {

namespace {

bool contains(std::span<const std::uint32_t> sorted, std::uint32_t number) {
    return std::ranges::binary_search(sorted, number);
}

bool are_within(std::span<const std::uint32_t> few, std::span<const std::uint32_t> many) {
    return std::ranges::all_of(few, [&](std::uint32_t each) { return contains(many, each); });
}

class DetourRemover {
public:
    explicit DetourRemover(Relaxation relaxation)
        : relaxation_(std::move(relaxation)), achievers_(transpose(relaxation_.effect, relaxation_.fact_count)),
          is_useless_(relaxation_.fact_count) {}

    Relaxation remove() {
        std::size_t useless = 0;
        for (std::uint32_t fact = 0; fact < relaxation_.fact_count; ++fact)
            useless += is_useless_[fact] = adds_nothing(fact) ? 1 : 0;
        if (useless == 0) return std::move(relaxation_);
        return reduced();
    }

private:
    // A fact with more pairs (operator that adds it, operator that needs it) is kept without a test.
    static constexpr std::size_t kMostPairs = 64;
    // Number of operators with which is_dominated compares an operator that has lost an effect.
    static constexpr std::size_t kCompared = 4;

    // Whether all effects of the operators that need the fact are reached no later than the fact itself.
    bool adds_nothing(std::uint32_t fact) const {
        const auto adders = achievers_[fact], users = relaxation_.needed_by[fact];
        if (adders.empty() || adders.size() * users.size() > kMostPairs) return false;
        return std::ranges::all_of(users, [&](OperatorId user) {
            return user != relaxation_.goal() &&
                   std::ranges::all_of(adders, [&](OperatorId adder) { return is_earlier(user, adder); });
        });
    }
    // Whether each effect of `user` is a precondition or an effect of `adder`, so that it is reached with `adder`.
    bool is_earlier(OperatorId user, OperatorId adder) const {
        return std::ranges::all_of(relaxation_.effect[user], [&](std::uint32_t fact) {
            return contains(relaxation_.precondition[adder], fact) || contains(relaxation_.effect[adder], fact);
        });
    }

    Relaxation reduced() {
        Relaxation result;
        result.fact_of = std::move(relaxation_.fact_of);
        result.fact_count = relaxation_.fact_count;
        for (OperatorId op = 0; op < relaxation_.operator_count(); ++op) {
            useful_.clear();
            for (const auto fact : relaxation_.effect[op])
                if (!is_useless_[fact]) useful_.push_back(fact);
            const bool has_lost = useful_.size() < relaxation_.effect[op].size();
            if (op == relaxation_.goal() || !has_lost || (!useful_.empty() && !is_dominated(op))) append(op, result);
        }
        result.needed_by = transpose(result.precondition, result.fact_count);
        return result;
    }
    void append(OperatorId op, Relaxation& result) const {
        const auto needs = relaxation_.precondition[op];
        result.precondition.items.insert(result.precondition.items.end(), needs.begin(), needs.end());
        result.precondition.end_row();
        result.effect.items.insert(result.effect.items.end(), useful_.begin(), useful_.end());
        result.effect.end_row();
        if (needs.empty()) result.unconditional.push_back(static_cast<OperatorId>(result.cost.size()));
        result.precondition_count.push_back(static_cast<std::uint32_t>(needs.size()));
        result.cost.push_back(relaxation_.cost[op]);
        result.action.push_back(relaxation_.action[op]);
    }
    // Whether an operator with a lower number dominates the operator. Only the first kCompared operators that add its
    // first useful effect are compared; achievers are sorted by number.
    bool is_dominated(OperatorId op) const {
        const auto adders = achievers_[useful_.front()];
        for (const OperatorId other : adders.first(std::min(kCompared, adders.size()))) {
            if (other >= op) return false;
            if (relaxation_.cost[other] <= relaxation_.cost[op] &&
                are_within(relaxation_.precondition[other], relaxation_.precondition[op]) &&
                are_within(useful_, relaxation_.effect[other]))
                return true;
        }
        return false;
    }

    Relaxation relaxation_;
    Rows achievers_;
    std::vector<std::uint8_t> is_useless_;  // per fact
    std::vector<std::uint32_t> useful_;     // effects of the current operator that are kept
};

class IncrementalExploration final : public MaxExploration {
public:
    IncrementalExploration(const GroundTask& task, const Layout& layout, const Relaxation& relaxation)
        : relaxation_(relaxation), reader_(task, layout, relaxation),
          achievers_(transpose(relaxation.effect, relaxation.fact_count)), supporters_(relaxation),
          in_state_(relaxation.fact_count), facts_(relaxation.fact_count), is_settled_(relaxation.fact_count),
          value_(relaxation.operator_count(), kDeadEnd), ready_(relaxation.fact_count), waiting_(relaxation.fact_count),
          position_(relaxation.precondition.items.size()) {
        for (const OperatorId op : relaxation.unconditional) value_[op] = 0;
        for (OperatorId op = 0; op < relaxation.operator_count(); ++op)
            if (!relaxation.precondition[op].empty()) waiting_[rarest(op)].push_back(op);
    }

    Cost explore(const Word* state, bool) override {
        reader_.read(state, state_facts_);
        ++time_;
        for (const auto fact : state_facts_) enter(fact);
        if (is_first_) lower_unconditional();
        settle();
        for (const auto fact : last_facts_)
            if (in_state_[fact] != time_) questionable_.push({0, fact});
        raise();
        settle();
        last_facts_.swap(state_facts_);
        is_first_ = false;
        Cost h = 0;
        for (const auto goal : relaxation_.precondition[relaxation_.goal()]) h = std::max(h, facts_[goal].cost);
        return h;
    }

    void supporters(PlanSteps& plan) override {
        supporters_.read([&](auto fact) { return supporter(fact); }, [&](auto fact) { return facts_[fact].cost == 0; },
                         plan);
    }

private:
    static constexpr OperatorId kStale = kNoOperator - 1;  // no supporter has been chosen since the last change

    struct Fact {
        Cost cost = kDeadEnd;  // kDeadEnd: unreachable
        OperatorId witness = kNoOperator;
        OperatorId supporter = kStale;
    };
    // The cost of a fact when the entry was pushed, and the fact.
    using Entry = std::pair<Cost, std::uint32_t>;
    using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    void enter(std::uint32_t fact) {
        in_state_[fact] = time_;
        if (facts_[fact].cost != 0) lower(fact, 0, kNoOperator);
    }
    void lower(std::uint32_t fact, Cost cost, OperatorId witness) {
        facts_[fact] = {cost, witness, kStale};
        cheaper_.push({cost, fact});
    }
    void lower_unconditional() {
        for (const OperatorId op : relaxation_.unconditional) apply(op);
    }
    Cost cost_after(OperatorId op) const { return saturating_add(value_[op], relaxation_.cost[op]); }

    // Lowers the costs of the effects. Also called if the value is the same but the cost of a precondition has changed:
    // then another supporter may be better.
    void apply(OperatorId op) {
        const Cost cost = cost_after(op);
        for (const auto fact : relaxation_.effect[op]) {
            Fact& effect = facts_[fact];
            if (cost < effect.cost) {
                lower(fact, cost, op);
            } else if (cost == effect.cost) {
                effect.witness = op;
                effect.supporter = kStale;
            }
        }
    }
    void settle() {
        while (!cheaper_.empty()) {
            const auto [cost, fact] = cheaper_.top();
            cheaper_.pop();
            if (cost != facts_[fact].cost) continue;
            for (const OperatorId op : ready_[fact]) update(op);
            if (!std::exchange(is_settled_[fact], 1)) wake(fact);
        }
    }
    // Moves the operators in the waiting list of the fact: to the waiting list of another precondition that is not
    // reached, or to the ready lists if there is none.
    void wake(std::uint32_t fact) {
        woken_.clear();
        woken_.swap(waiting_[fact]);
        for (const OperatorId op : woken_) {
            const auto needs = relaxation_.precondition[op];
            const auto next = std::ranges::find_if(needs, [&](auto needed) { return !is_settled_[needed]; });
            if (next != needs.end()) {
                waiting_[*next].push_back(op);
            } else {
                add_ready(op);
                update(op);
            }
        }
    }
    void update(OperatorId op) {
        Cost value = 0;
        for (const auto fact : relaxation_.precondition[op]) value = std::max(value, facts_[fact].cost);
        value_[op] = value;
        apply(op);
    }

    // Removes the costs of questionable facts that no operator reaches at that cost any more. Then gives these facts
    // the least cost that an operator with reached preconditions has.
    void raise() {
        raised_.clear();
        while (!questionable_.empty()) {
            const auto [cost, fact] = questionable_.top();
            questionable_.pop();
            if (facts_[fact].cost != cost || (cost > 0 && find_witness(fact))) continue;
            facts_[fact] = {};
            raised_.push_back(fact);
            is_settled_[fact] = 0;
            while (!ready_[fact].empty()) block(ready_[fact].back(), fact);
        }
        for (const auto fact : raised_) lower_by_achievers(fact);
    }
    // Moves a ready operator to the waiting list of the fact, which is no longer reached.
    void block(OperatorId op, std::uint32_t fact) {
        remove_ready(op);
        waiting_[fact].push_back(op);
        const Cost cost = cost_after(op);
        value_[op] = kDeadEnd;
        for (const auto added : relaxation_.effect[op]) {
            Fact& effect = facts_[added];
            if (effect.cost != cost) continue;
            effect.supporter = kStale;
            if (effect.witness == op) questionable_.push({cost, added});
        }
    }

    // The precondition that the fewest operators need.
    std::uint32_t rarest(OperatorId op) const {
        return *std::ranges::min_element(relaxation_.precondition[op], {},
                                         [&](auto fact) { return relaxation_.needed_by[fact].size(); });
    }
    void add_ready(OperatorId op) {
        auto slot = relaxation_.precondition.begin[op];
        for (const auto fact : relaxation_.precondition[op]) {
            position_[slot++] = static_cast<std::uint32_t>(ready_[fact].size());
            ready_[fact].push_back(op);
        }
    }
    void remove_ready(OperatorId op) {
        auto slot = relaxation_.precondition.begin[op];
        for (const auto fact : relaxation_.precondition[op]) {
            const std::uint32_t position = position_[slot++];
            const OperatorId last = ready_[fact].back();
            ready_[fact][position] = last;
            position_[slot_of(last, fact)] = position;
            ready_[fact].pop_back();
        }
    }
    std::size_t slot_of(OperatorId op, std::uint32_t fact) const {
        const auto needs = relaxation_.precondition[op];
        return relaxation_.precondition.begin[op] +
               static_cast<std::size_t>(std::ranges::find(needs, fact) - needs.begin());
    }
    bool is_witness(OperatorId op, Cost cost) const { return value_[op] != kDeadEnd && cost_after(op) == cost; }
    bool find_witness(std::uint32_t fact) {
        Fact& own = facts_[fact];
        if (is_witness(own.witness, own.cost)) return true;
        for (const OperatorId op : achievers_[fact]) {
            if (!is_witness(op, own.cost)) continue;
            own.witness = op;
            return true;
        }
        return false;
    }
    void lower_by_achievers(std::uint32_t fact) {
        Cost least = kDeadEnd;
        OperatorId witness = kNoOperator;
        for (const OperatorId op : achievers_[fact]) {
            if (value_[op] == kDeadEnd || cost_after(op) >= least) continue;
            least = cost_after(op);
            witness = op;
        }
        if (witness != kNoOperator) lower(fact, least, witness);
    }

    OperatorId supporter(std::uint32_t fact) {
        Fact& own = facts_[fact];
        if (own.cost == 0) return kNoOperator;
        if (own.supporter == kStale) own.supporter = find_supporter(fact);
        return own.supporter;
    }
    OperatorId find_supporter(std::uint32_t fact) const {
        auto best = kNoOperator;
        auto least = std::numeric_limits<std::int64_t>::max();
        for (const OperatorId op : achievers_[fact]) {
            if (!is_witness(op, facts_[fact].cost)) continue;
            std::int64_t sum = 0;
            for (const auto needed : relaxation_.precondition[op]) sum += facts_[needed].cost;
            if (sum >= least) continue;
            least = sum;
            best = op;
            if (sum == 0) break;
        }
        return best;
    }

    const Relaxation& relaxation_;
    FactReader reader_;
    Rows achievers_;
    Supporters supporters_;
    bool is_first_ = true;
    std::uint64_t time_ = 0;               // number of explorations so far
    std::vector<std::uint64_t> in_state_;  // fact -> the last exploration of a state in which it is true
    std::vector<Fact> facts_;
    std::vector<std::uint8_t> is_settled_;  // fact -> whether it is reached and its waiting list is empty
    std::vector<Cost> value_;               // per operator; kDeadEnd if it is not ready
    // An operator is ready if all its preconditions are reached; it is then in the ready list of each of them. Otherwise
    // it is in the waiting list of one that is not reached. So if a common precondition, such as an empty hand, changes,
    // the many operators that lack another precondition are not visited.
    std::vector<std::vector<OperatorId>> ready_, waiting_;  // per fact
    std::vector<std::uint32_t> position_;  // per precondition of a ready operator: index of the operator in ready_
    std::vector<OperatorId> woken_;
    std::vector<std::uint32_t> state_facts_, last_facts_;
    Queue cheaper_;       // facts whose cost was lowered
    Queue questionable_;  // facts that lost their witness or are not true any more
    std::vector<std::uint32_t> raised_;
};

}  // namespace

bool suits_incremental_exploration(const Relaxation& relaxation) {
    return std::ranges::all_of(std::span(relaxation.cost).first(relaxation.goal()), [](Cost cost) { return cost > 0; });
}

Relaxation without_detours(Relaxation relaxation) { return DetourRemover(std::move(relaxation)).remove(); }

std::unique_ptr<MaxExploration> make_incremental_exploration(const GroundTask& task, const Layout& layout,
                                                             const Relaxation& relaxation) {
    return std::make_unique<IncrementalExploration>(task, layout, relaxation);
}

}  // namespace fsplan
