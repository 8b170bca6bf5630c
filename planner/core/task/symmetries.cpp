#include "task/symmetries.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace fsplan {

namespace {

using Symbol = std::uint32_t;
using Atom = std::vector<Symbol>;  // predicate or schema, arguments; for a fact also whether it is negated

constexpr std::size_t kMostActions = 5'000;

Atom atom_of(std::span<const Symbol> row) { return {row.begin(), row.end()}; }

}  // namespace

class SymmetryFinder {
public:
    SymmetryFinder(const GroundTask& task, const Layout& layout, Budget& watch)
        : task_(task), layout_(layout), watch_(watch), variable_of_(variables_of_facts(task)), goal_(task.goal),
          image_(task.fact_count()) {
        std::sort(goal_.begin(), goal_.end());
        for (FactId fact = 0; fact < task.fact_count(); ++fact)
            if (!task.fact_atom[fact].empty()) facts_.emplace(fact_key(fact), fact);
        for (ActionId action = 0; action < task.action_count(); ++action)
            names_are_unique_ &= actions_.emplace(atom_of(task.action_atom[action]), action).second;
    }

    // Swaps of adjacent objects in each class of interchangeable objects.
    std::vector<Symmetries::Swap> find() {
        std::vector<Symmetries::Swap> swaps;
        if (!names_are_unique_) return swaps;
        for (const auto& [signature, objects] : objects_by_signature()) {
            std::vector<Symbol> last;  // last object of every class
            for (const Symbol object : objects) {
                const auto known =
                    std::find_if(last.begin(), last.end(), [&](Symbol each) { return is_symmetry(each, object); });
                if (known == last.end()) {
                    last.push_back(object);
                } else {
                    swaps.push_back(moves());
                    *known = object;
                }
            }
        }
        return swaps;
    }

private:
    // Number of occurrences of the object at each position of facts and actions; equal for interchangeable objects.
    using Signature = std::map<std::tuple<bool, Symbol, std::size_t>, std::size_t>;

    std::map<Signature, std::vector<Symbol>> objects_by_signature() const {
        std::map<Symbol, Signature> signatures;
        const auto count = [&](std::span<const Symbol> row, bool is_action) {
            for (std::size_t i = 1; i < row.size(); ++i) ++signatures[row[i]][{is_action, row[0], i}];
        };
        for (FactId fact = 0; fact < task_.fact_count(); ++fact) count(task_.fact_atom[fact], false);
        for (ActionId action = 0; action < task_.action_count(); ++action) count(task_.action_atom[action], true);
        std::map<Signature, std::vector<Symbol>> groups;
        for (const auto& [object, signature] : signatures) groups[signature].push_back(object);
        return groups;
    }

    Atom fact_key(FactId fact) const {
        Atom key = atom_of(task_.fact_atom[fact]);
        key.push_back(task_.fact_negated[fact]);
        return key;
    }
    // The atom with the two objects swapped; its first symbol and the mark of negation stay.
    Atom swapped(Atom atom, std::size_t end) const {
        for (std::size_t i = 1; i < end; ++i) {
            if (atom[i] == left_) atom[i] = right_;
            else if (atom[i] == right_) atom[i] = left_;
        }
        return atom;
    }

    bool is_symmetry(Symbol left, Symbol right) {
        left_ = left;
        right_ = right;
        return map_facts() && map_variables() && sorted_images(goal_) == goal_ && actions_are_mapped();
    }

    bool map_facts() {
        for (FactId fact = 0; fact < task_.fact_count(); ++fact) {
            watch_.tick();
            const Atom key = fact_key(fact);
            image_[fact] = fact;
            if (key.size() == 1) continue;  // the value "none of those": see map_variables
            const auto found = facts_.find(swapped(key, key.size() - 1));
            if (found == facts_.end()) return false;
            image_[fact] = found->second;
        }
        return true;
    }

    bool map_variables() {
        for (std::uint32_t variable = 0; variable < task_.variable_count(); ++variable) {
            const FactId begin = task_.first_fact[variable], end = task_.first_fact[variable + 1];
            std::optional<std::uint32_t> to;
            for (FactId fact = begin; fact < end; ++fact) {
                if (task_.fact_atom[fact].empty()) continue;
                const std::uint32_t here = variable_of_[image_[fact]];
                if (to.value_or(here) != here) return false;
                to = here;
            }
            if (!to || task_.domain_size[*to] != task_.domain_size[variable]) return false;
            if (!map_remainder(begin, end, *to)) return false;
        }
        return true;
    }
    // A variable has at most one value "none of those".
    bool map_remainder(FactId begin, FactId end, std::uint32_t to) {
        const auto remainder = [&](FactId first, FactId last) {
            while (first < last && !task_.fact_atom[first].empty()) ++first;
            return first;
        };
        const FactId own = remainder(begin, end), last = task_.first_fact[to + 1];
        const FactId other = remainder(task_.first_fact[to], last);
        if ((own == end) != (other == last)) return false;
        if (own != end) image_[own] = other;
        return true;
    }

    std::vector<FactId> sorted_images(std::span<const FactId> facts) const {
        std::vector<FactId> images;
        for (const FactId fact : facts) images.push_back(image_[fact]);
        std::sort(images.begin(), images.end());
        return images;
    }

    bool actions_are_mapped() {
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            watch_.tick();
            const Atom name = atom_of(task_.action_atom[action]);
            const auto found = actions_.find(swapped(name, name.size()));
            if (found == actions_.end() || !is_image(action, found->second)) return false;
        }
        return true;
    }
    bool is_image(ActionId action, ActionId other) const {
        if (task_.cost[action] != task_.cost[other]) return false;
        const auto own = task_.precondition[other];
        if (sorted_images(task_.precondition[action]) != std::vector<FactId>(own.begin(), own.end())) return false;
        return effects(action, true) == effects(other, false);
    }
    std::vector<std::pair<FactId, std::vector<FactId>>> effects(ActionId action, bool mapped) const {
        std::vector<std::pair<FactId, std::vector<FactId>>> all;
        for (auto effect = task_.first_effect[action]; effect < task_.first_effect[action + 1]; ++effect) {
            const auto condition = task_.effect_condition[effect];
            std::vector<FactId> facts(condition.begin(), condition.end());
            std::sort(facts.begin(), facts.end());
            const FactId fact = task_.effect[effect];
            all.emplace_back(mapped ? image_[fact] : fact, mapped ? sorted_images(facts) : facts);
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    Symmetries::Swap moves() const {
        Symmetries::Swap swap;
        for (std::uint32_t variable = 0; variable < task_.variable_count(); ++variable) {
            const FactId begin = task_.first_fact[variable], end = task_.first_fact[variable + 1];
            const std::uint32_t to = variable_of_[image_[begin]];
            std::vector<Word> image;
            bool moves = to != variable;
            for (FactId fact = begin; fact < end; ++fact) {
                image.push_back(image_[fact] - task_.first_fact[to]);
                moves |= image_[fact] != fact;
            }
            if (moves) swap.push_back({to, layout_.field[variable], layout_.field[to], std::move(image)});
        }
        std::sort(swap.begin(), swap.end(), [](const auto& left, const auto& right) { return left.to < right.to; });
        return swap;
    }

    const GroundTask& task_;
    const Layout& layout_;
    Budget& watch_;
    std::vector<std::uint32_t> variable_of_;
    std::vector<FactId> goal_;
    std::map<Atom, FactId> facts_;
    std::map<Atom, ActionId> actions_;
    bool names_are_unique_ = true;
    // The current swap, and the image of each fact.
    Symbol left_ = 0, right_ = 0;
    std::vector<FactId> image_;
};

Symmetries::Symmetries(const GroundTask& task, const Layout& layout, Budget& watch) {
    const bool is_named = task.fact_atom.size() == task.fact_count() && task.action_atom.size() == task.action_count();
    if (is_named && !task.has_derived() && task.action_count() <= kMostActions)
        swaps_ = SymmetryFinder(task, layout, watch).find();
}

bool Symmetries::lowers(const Swap& swap, const Word* state) const {
    for (const Move& move : swap) {
        const Word before = move.to_field.get(state), after = move.image[move.from_field.get(state)];
        if (after != before) return after < before;
    }
    return false;
}

void Symmetries::apply(const Swap& swap, Word* state) {
    after_.clear();
    for (const Move& move : swap) after_.push_back(move.image[move.from_field.get(state)]);
    for (std::size_t i = 0; i < swap.size(); ++i) swap[i].to_field.set(state, after_[i]);
}

void Symmetries::normalise(Word* state) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Swap& swap : swaps_) {
            if (!lowers(swap, state)) continue;
            apply(swap, state);
            changed = true;
        }
    }
}

}  // namespace fsplan
