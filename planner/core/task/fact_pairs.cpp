#include "task/fact_pairs.hpp"

namespace fsplan {

namespace {

using Bits = FactPairs::Bits;
constexpr std::size_t kMostFacts = 12'000;  // a relation over this many facts takes 18 MB

template <class Visit>
void each_bit(std::span<const Bits> words, Visit visit) {
    for (std::size_t w = 0; w < words.size(); ++w) {
        for (auto rest = words[w]; rest != 0; rest &= rest - 1)
            visit(static_cast<FactId>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
    }
}

void intersect(std::vector<Bits>& set, std::span<const Bits> other) {
    for (std::size_t w = 0; w < set.size(); ++w) set[w] &= other[w];
}

void insert(std::vector<Bits>& set, FactId fact) { set[fact / 64] |= Bits{1} << (fact % 64); }

// The given facts, sorted, without derived facts and without those in `known`.
std::vector<FactId> own_facts(const GroundTask& task, std::span<const std::uint32_t> variable,
                              std::span<const FactId> facts, std::span<const FactId> known = {}) {
    std::vector<FactId> own;
    for (auto fact : facts) {
        if (task.layer[variable[fact]] < 0 && !std::ranges::binary_search(known, fact)) own.push_back(fact);
    }
    sort_unique(own);
    return own;
}

std::vector<FactId> facts_of(const GroundTask& task, std::span<const std::int32_t> values) {
    std::vector<FactId> facts;
    for (std::size_t v = 0; v < values.size(); ++v)
        facts.push_back(task.first_fact[v] + static_cast<FactId>(values[v]));
    return facts;
}

}  // namespace

bool FactPairs::contains_all(std::span<const FactId> facts) const {
    for (std::size_t i = 0; i < facts.size(); ++i) {
        for (std::size_t j = i; j < facts.size(); ++j) {
            if (!contains(facts[i], facts[j])) return false;
        }
    }
    return true;
}

std::vector<PairAction> pair_actions(const GroundTask& task) {
    const auto variable = variables_of_facts(task);
    std::vector<PairAction> actions(task.action_count());
    for (ActionId a = 0; a < actions.size(); ++a) {
        auto& action = actions[a];
        action.precondition = own_facts(task, variable, task.precondition[a]);
        for (auto e = task.first_effect[a]; e < task.first_effect[a + 1]; ++e) {
            const auto given = task.effect_condition[e];
            auto is_given = [&](FactId fact) {
                const auto row = task.precondition[a];
                return std::ranges::find(row, fact) != row.end();
            };
            action.effects.push_back({task.effect[e], own_facts(task, variable, given, action.precondition),
                                      std::ranges::all_of(given, is_given)});
            action.touched.push_back(variable[task.effect[e]]);
            if (action.effects.back().certain) action.overwritten.push_back(variable[task.effect[e]]);
        }
        std::ranges::sort(action.touched);
        auto set_once = [&](const PairAction::Effect& effect) {
            return effect.certain && std::ranges::count(action.touched, variable[effect.fact]) == 1;
        };
        for (const auto& effect : action.effects) {
            if (set_once(effect)) action.after.push_back(effect.fact);
        }
        for (auto fact : action.precondition) {
            if (!std::ranges::binary_search(action.touched, variable[fact])) action.after.push_back(fact);
        }
        action.touched.erase(std::unique(action.touched.begin(), action.touched.end()), action.touched.end());
    }
    return actions;
}

namespace {

struct OutOfWork {};

// One pass in one direction: pairs are added until a fixpoint. An action is processed again when a pair with a fact on
// which it depends was added.
class Pass {
public:
    // Only pairs in `allowed` are added, unless it is null.
    Pass(const GroundTask& task, const std::vector<PairAction>& actions, const std::vector<std::uint8_t>& excluded,
         const FactPairs* allowed, std::size_t& work, Budget& watch)
        : task_(task), actions_(actions), excluded_(excluded), allowed_(allowed), work_(work), watch_(watch),
          found_(task.fact_count()), reached_(found_.width()), queued_(actions.size()), users_(task.fact_count()) {}
    virtual ~Pass() = default;
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    // Registers the facts on which the pairs of an action depend.
    void add_user(ActionId action, std::span<const FactId> facts) {
        for (auto fact : facts) users_[fact].push_back(action);
        if (facts.empty()) always_.push_back(action);
    }
    FactPairs run() {
        for (ActionId action = 0; action < actions_.size(); ++action) enqueue(action);
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            const auto action = queue_[next];
            queued_[action] = 0;
            if (!excluded_[action]) apply(actions_[action]);
            if (next > 4 * actions_.size()) {  // processed entries are removed from time to time
                queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(next + 1));
                next = static_cast<std::size_t>(-1);
            }
        }
        return std::move(found_);
    }
    // Adds the pairs of the fact with each of the partners.
    void add(FactId fact, std::span<const Bits> partners) {
        count(3);
        const auto known = found_.row(fact);
        bool any = false;
        for (std::size_t w = 0; w < partners.size(); ++w) {
            const Bits permitted = allowed_ ? allowed_->row(fact)[w] : ~Bits{0};
            for (auto rest = partners[w] & permitted & ~known[w]; rest != 0; rest &= rest - 1) {
                const auto other = static_cast<FactId>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
                found_.insert(fact, other);
                wake(other);
                any = true;
            }
        }
        if (!any) return;
        wake(fact);
        if (found_.contains(fact, fact)) reach(fact);
    }

protected:
    virtual void apply(const PairAction& action) = 0;

    // The facts that form pairs with all given facts, except facts of the variables `without`.
    std::vector<Bits> partners(std::span<const FactId> facts, std::span<const std::uint32_t> without) {
        count(facts.size() + 1);
        std::vector<Bits> set(reached_);
        for (auto fact : facts) intersect(set, found_.row(fact));
        for (auto variable : without) erase_variable(set, variable);
        return set;
    }
    void erase_variable(std::vector<Bits>& set, std::uint32_t variable) const {
        for (auto fact = task_.first_fact[variable]; fact < task_.first_fact[variable + 1]; ++fact)
            set[fact / 64] &= ~(Bits{1} << (fact % 64));
    }
    void count(std::size_t rows) {
        watch_.tick();
        const auto words = rows * (found_.width() + 1);
        if (words > work_) throw OutOfWork{};
        work_ -= words;
    }

    const GroundTask& task_;
    const std::vector<PairAction>& actions_;
    const std::vector<std::uint8_t>& excluded_;
    const FactPairs* allowed_;
    std::size_t& work_;
    Budget& watch_;
    FactPairs found_;
    std::vector<Bits> reached_;  // set of the facts f for which {f, f} has been added

private:
    void enqueue(ActionId action) {
        if (queued_[action]) return;
        queued_[action] = 1;
        queue_.push_back(action);
    }
    void wake(FactId fact) {
        for (auto action : users_[fact]) enqueue(action);
    }
    void reach(FactId fact) {
        if (reached_[fact / 64] >> (fact % 64) & 1U) return;
        insert(reached_, fact);
        for (auto action : always_) enqueue(action);
    }

    std::vector<ActionId> queue_;
    std::vector<std::uint8_t> queued_;
    std::vector<std::vector<ActionId>> users_;  // fact -> actions that depend on it
    std::vector<ActionId> always_;              // actions that depend on no fact
};

std::vector<FactId> both(std::span<const FactId> a, std::span<const FactId> b) {
    std::vector<FactId> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

class ForwardPass final : public Pass {
public:
    using Pass::Pass;

    FactPairs from(std::span<const FactId> start) {
        for (ActionId action = 0; action < actions_.size(); ++action) {
            add_user(action, actions_[action].precondition);
            for (const auto& effect : actions_[action].effects) {
                if (!effect.condition.empty()) add_user(action, effect.condition);
            }
        }
        std::vector<Bits> facts(found_.width());
        for (auto fact : start) insert(facts, fact);
        for (auto fact : start) add(fact, facts);
        return run();
    }

private:
    void apply(const PairAction& action) override {
        if (!found_.contains_all(action.precondition)) return;
        const auto stay = partners(action.precondition, action.overwritten);
        for (const auto& effect : action.effects) {
            if (!effect.condition.empty() && !found_.contains_all(both(action.precondition, effect.condition)))
                continue;
            auto set = stay;
            for (auto fact : effect.condition) intersect(set, found_.row(fact));
            for (const auto& other : action.effects) {
                if (together(action, effect, other)) insert(set, other.fact);
            }
            erase_variable(set, variable_of(effect.fact));
            insert(set, effect.fact);
            add(effect.fact, set);
        }
    }
    bool together(const PairAction& action, const PairAction::Effect& a, const PairAction::Effect& b) const {
        if (a.condition.empty() && b.condition.empty()) return true;
        return found_.contains_all(both(action.precondition, both(a.condition, b.condition)));
    }
    std::uint32_t variable_of(FactId fact) const {
        return static_cast<std::uint32_t>(std::ranges::upper_bound(task_.first_fact, fact) - task_.first_fact.begin() -
                                          1);
    }
};

// `allowed`: pairs that the previous pass has reached.
class BackwardPass final : public Pass {
public:
    using Pass::Pass;

    FactPairs from_goal(std::span<const FactId> goal) {
        for (ActionId action = 0; action < actions_.size(); ++action) add_user(action, actions_[action].after);
        std::vector<Bits> facts(found_.width(), ~Bits{0});
        for (auto fact : goal) intersect(facts, allowed_->row(fact));
        each_bit(facts, [&](FactId fact) {
            if (fact < task_.fact_count()) add(fact, facts);
        });
        return run();
    }

private:
    void apply(const PairAction& action) override {
        if (!found_.contains_all(action.after)) return;
        auto stay = partners(action.after, action.touched);
        auto possible = std::vector<Bits>(found_.width(), ~Bits{0});
        for (auto fact : action.precondition) intersect(possible, allowed_->row(fact));
        intersect(stay, possible);
        std::vector<FactId> before;
        for (auto variable : action.touched) {
            for (auto fact = task_.first_fact[variable]; fact < task_.first_fact[variable + 1]; ++fact) {
                if (possible[fact / 64] >> (fact % 64) & 1U) before.push_back(fact);
            }
        }
        for (auto fact : before) insert(stay, fact);
        for (auto fact : before) add(fact, stay);
    }
};

}  // namespace

std::optional<AlivePairs> find_alive_pairs(const GroundTask& task, std::span<const std::int32_t> start,
                                           std::size_t work, Budget& watch) {
    if (task.fact_count() > kMostFacts) return std::nullopt;
    const auto variable = variables_of_facts(task);
    const auto goal = own_facts(task, variable, task.goal), first = own_facts(task, variable, facts_of(task, start));
    const auto actions = pair_actions(task);
    std::vector<std::uint8_t> excluded(actions.size());
    std::optional<AlivePairs> found;
    auto exclude = [&] {
        std::size_t count = 0;
        for (ActionId a = 0; a < actions.size(); ++a) {
            if (excluded[a]) continue;
            excluded[a] =
                !found->pairs.contains_all(actions[a].precondition) || !found->pairs.contains_all(actions[a].after);
            count += excluded[a];
        }
        return count;
    };
    try {
        do {
            ForwardPass forward(task, actions, excluded, found ? &found->pairs : nullptr, work, watch);
            found = AlivePairs{forward.from(first)};
            found->solvable = found->pairs.contains_all(goal);
            if (!found->solvable) return found;
            exclude();
            BackwardPass backward(task, actions, excluded, &found->pairs, work, watch);
            found->pairs = backward.from_goal(goal);
            found->solvable = found->pairs.contains_all(first);
            if (!found->solvable) return found;
        } while (exclude() > 0);
    } catch (const OutOfWork&) {
        // The limit on the work is reached. The results of the completed passes remain valid.
    }
    return found;
}

}  // namespace fsplan
