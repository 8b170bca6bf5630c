#include "bounds/pair_relaxation.hpp"

namespace fsplan {

namespace {

using Fact = std::uint32_t;

constexpr std::size_t kMostPairedFacts = 2000;  // bounds the table of pairs, which has an entry for each two facts
constexpr Fact kNotChosen = std::numeric_limits<Fact>::max();

class PairRelaxer {
public:
    PairRelaxer(const GroundTask& task, const Relaxation& plain, Budget& watch)
        : task_(task), watch_(watch), plain_(plain), fact_count_(plain.fact_count),
          achievers_(transpose(plain.effect, fact_count_)) {
        const auto variables = variables_of_facts(task);
        number_facts(variables);
        note_writes(variables);
    }

    void choose(std::size_t most_terms) {
        if (fact_count_ > kMostPairedFacts) return;
        number_.assign(fact_count_ * fact_count_, kNotChosen);
        for (OperatorId op = plain_.goal() + 1; op-- > 0;) want_all_within(plain_.precondition[op]);
        for (std::size_t next = 0; next < pairs_.size(); ++next) {
            const auto [p, q] = pairs_[next];
            want_for(p, q);
            want_for(q, p);
            if (terms_ <= most_terms) continue;
            for (std::size_t left_out = next + 1; left_out < pairs_.size(); ++left_out)
                number_of(pairs_[left_out]) = kNotChosen;
            pairs_.resize(next + 1);
        }
    }

    PairRelaxation build(std::span<const Fact> start) {
        partners_.resize(fact_count_);
        for (const auto& [p, q] : pairs_) {
            partners_[p].push_back(q);
            partners_[q].push_back(p);
        }
        for (OperatorId op = 0; op < plain_.goal(); ++op) add_operator(op);
        for (OperatorId op = 0; op < plain_.goal(); ++op) {
            for (const Fact kept : partners_of_effects(op)) add_with_kept_fact(op, kept);
            for (OperatorId other = op + 1; plain_.action[other] == plain_.action[op]; ++other) add_both(op, other);
        }
        collect(plain_.precondition[plain_.goal()], precondition_);
        finish(kNoAction);
        result_.relaxation.fact_count = first_pair() + pairs_.size();
        result_.relaxation.needed_by = transpose(result_.relaxation.precondition, result_.relaxation.fact_count);
        collect(start, result_.start);
        result_.first_pair = first_pair();
        result_.pairs = std::move(pairs_);
        return std::move(result_);
    }

private:
    using Pair = std::pair<Fact, Fact>;

    void number_facts(const std::vector<std::uint32_t>& variables) {
        variable_.resize(fact_count_);
        result_.task_fact.resize(fact_count_);
        for (FactId fact = 0; fact < task_.fact_count(); ++fact) {
            if (plain_.fact_of[fact] == kIrrelevant) continue;
            variable_[plain_.fact_of[fact]] = variables[fact];
            result_.task_fact[plain_.fact_of[fact]] = fact;
        }
    }
    // Computes the variables that each action certainly sets, and the facts that it may make true.
    void note_writes(const std::vector<std::uint32_t>& variables) {
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
                const Fact fact = plain_.fact_of[task_.effect[e]];
                if (fact != kIrrelevant) may_add_.items.push_back(fact);
                if (task_.effect_condition[e].empty()) sets_.items.push_back(variables[task_.effect[e]]);
            }
            may_add_.end_row();
            sets_.end_row();
        }
    }

    static bool contains(std::span<const std::uint32_t> items, std::uint32_t item) {
        return std::ranges::find(items, item) != items.end();
    }
    bool deletes(ActionId action, Fact fact) const {
        return contains(sets_[action], variable_[fact]) && !contains(may_add_[action], fact);
    }
    bool contradicts(std::span<const Fact> facts, Fact fact) const {
        return std::ranges::any_of(facts,
                                   [&](Fact each) { return each != fact && variable_[each] == variable_[fact]; });
    }
    // Whether the operator can be applied while the fact is true and does not delete it.
    bool keeps(OperatorId op, Fact fact) const {
        return !deletes(plain_.action[op], fact) && !contradicts(plain_.precondition[op], fact);
    }

    Fact& number_of(const Pair& pair) {
        return number_[std::min(pair.first, pair.second) * fact_count_ + std::max(pair.first, pair.second)];
    }
    // The number of the fact that represents a pair of facts; kNotChosen if there is none.
    Fact pair_of(Fact p, Fact q) const {
        return pairs_.empty() ? kNotChosen : number_[std::min(p, q) * fact_count_ + std::max(p, q)];
    }
    std::size_t first_pair() const { return fact_count_ + plain_.operator_count(); }
    // The helper fact "the operator has been applied".
    Fact applied(OperatorId op) const { return static_cast<Fact>(fact_count_ + op); }

    void want(Fact p, Fact q) {
        if (p == q || variable_[p] == variable_[q] || number_of({p, q}) != kNotChosen) return;
        number_of({p, q}) = static_cast<Fact>(first_pair() + pairs_.size());
        pairs_.emplace_back(p, q);
    }
    void want_all_within(std::span<const Fact> facts) {
        watch_.tick();
        for (std::size_t i = 0; i < facts.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) want(facts[j], facts[i]);
    }
    // Chooses the pairs that are needed to achieve p while q is true.
    void want_for(Fact p, Fact q) {
        for (const OperatorId op : achievers_[p]) {
            watch_.tick();
            if (!keeps(op, q)) continue;
            terms_ += plain_.precondition[op].size() + 2;
            for (const Fact needed : plain_.precondition[op]) want(needed, q);
        }
    }

    // Appends the facts and all chosen pairs of two of these facts.
    void collect(std::span<const Fact> facts, std::vector<Fact>& collected) const {
        collected.insert(collected.end(), facts.begin(), facts.end());
        for (std::size_t i = 0; i < facts.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (const Fact pair = pair_of(facts[j], facts[i]); pair != kNotChosen) collected.push_back(pair);
    }
    void add_operator(OperatorId op) {
        collect(plain_.precondition[op], precondition_);
        collect(plain_.effect[op], effect_);
        effect_.push_back(applied(op));
        for (const Fact kept : plain_.precondition[op])
            if (keeps(op, kept)) append_pairs(plain_.effect[op], kept, effect_);
        finish(plain_.action[op]);
    }
    // The facts that form a pair with an effect of the operator.
    std::vector<Fact> partners_of_effects(OperatorId op) const {
        std::vector<Fact> partners;
        for (const Fact fact : plain_.effect[op])
            partners.insert(partners.end(), partners_[fact].begin(), partners_[fact].end());
        sort_unique(partners);
        return partners;
    }
    // Adds the operator that applies `op` while the fact `kept`, which it does not delete, is true.
    void add_with_kept_fact(OperatorId op, Fact kept) {
        watch_.tick();
        if (contains(plain_.precondition[op], kept) || contains(plain_.effect[op], kept) || !keeps(op, kept)) return;
        append_pairs(plain_.effect[op], kept, effect_);
        precondition_ = {applied(op), kept};
        append_pairs(plain_.precondition[op], kept, precondition_);
        finish(plain_.action[op]);
    }
    // Adds the operator that combines two conditional effects of one action.
    void add_both(OperatorId op, OperatorId other) {
        for (const Fact fact : plain_.effect[other]) append_pairs(plain_.effect[op], fact, effect_);
        if (effect_.empty()) return;
        precondition_ = {applied(op), applied(other)};
        finish(plain_.action[op]);
    }
    void append_pairs(std::span<const Fact> facts, Fact with, std::vector<Fact>& pairs) const {
        for (const Fact fact : facts)
            if (const Fact pair = pair_of(fact, with); pair != kNotChosen) pairs.push_back(pair);
    }
    void finish(ActionId action) {
        Relaxation& relaxation = result_.relaxation;
        sort_unique(precondition_);
        sort_unique(effect_);
        if (precondition_.empty()) relaxation.unconditional.push_back(static_cast<OperatorId>(relaxation.cost.size()));
        relaxation.precondition_count.push_back(static_cast<std::uint32_t>(precondition_.size()));
        append(relaxation.precondition, precondition_);
        append(relaxation.effect, effect_);
        relaxation.cost.push_back(0);
        relaxation.action.push_back(action);
    }
    static void append(Rows& rows, std::vector<Fact>& facts) {
        rows.items.insert(rows.items.end(), facts.begin(), facts.end());
        rows.end_row();
        facts.clear();
    }

    const GroundTask& task_;
    Budget& watch_;
    const Relaxation& plain_;
    std::size_t fact_count_;
    Rows achievers_;                       // fact -> operators that add it
    std::vector<std::uint32_t> variable_;  // per fact
    Rows sets_, may_add_;                  // action -> variables that it sets; facts that it may make true
    std::vector<Fact> number_;             // pair -> its fact
    std::vector<Pair> pairs_;
    std::vector<std::vector<Fact>> partners_;  // fact -> the other facts of its pairs
    std::size_t terms_ = 0;
    PairRelaxation result_;
    std::vector<Fact> precondition_, effect_;  // preconditions and effects of the operator that is being built
};

}  // namespace

PairRelaxation relax_with_pairs(const GroundTask& task, const Relaxation& plain, std::span<const Fact> start,
                                std::size_t most_terms, Budget& watch) {
    PairRelaxer relaxer(task, plain, watch);
    relaxer.choose(most_terms);
    return relaxer.build(start);
}

}  // namespace fsplan
