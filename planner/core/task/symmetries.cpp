#include "task/symmetries.hpp"

namespace fsplan {

namespace {

using Atom = std::vector<Symbol>;  // predicate or schema, arguments; for a fact also whether it is negated
using Facts = std::vector<FactId>;

// Limit on the number of facts, actions and rules that the search for interchangeable objects visits.
constexpr std::size_t kMostVisitsForSwaps = 30'000'000;

struct AtomHash {
    std::size_t operator()(const Atom& atom) const {
        std::uint64_t hash = atom.size();
        for (const Symbol symbol : atom) hash = (hash ^ symbol) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
        return hash;
    }
};

template <class Items>
std::vector<std::uint32_t> sorted(Items items) {
    std::ranges::sort(items);
    return items;
}

Rows rows_of(std::vector<std::vector<std::uint32_t>> lists) {
    Rows rows;
    for (auto& list : lists) {
        sort_unique(list);
        rows.items.insert(rows.items.end(), list.begin(), list.end());
        rows.end_row();
    }
    return rows;
}

class SymmetryFinder {
public:
    SymmetryFinder(const GroundTask& task, const Layout& layout, Budget& watch)
        : task_(task), layout_(layout), watch_(watch), variable_of_(variables_of_facts(task)),
          is_goal_(task.fact_count()), colours_(task, watch), object_image_(task.symbols.size()),
          fact_image_(task.fact_count()), action_image_(task.action_count()) {
        std::iota(object_image_.begin(), object_image_.end(), Symbol{0});
        for (const FactId fact : task.goal) is_goal_[fact] = 1;
        for (FactId fact = 0; fact < task.fact_count(); ++fact) {
            fact_image_[fact] = fact;
            if (!task.fact_atom[fact].empty()) facts_are_distinct_ &= facts_.emplace(fact_key(fact), fact).second;
        }
        for (ActionId action = 0; action < task.action_count(); ++action) {
            action_image_[action] = action;
            actions_[atom_of(task.action_atom[action])].push_back(action);
        }
        for (std::size_t rule = 0; rule < task.rule_head.size(); ++rule) rules_.insert(image_of_rule(rule));
        index_objects();
        index_facts();
    }

    // In each class of interchangeable objects, the swaps of successive objects.
    std::vector<Symmetries::Swap> find() {
        std::vector<Symmetries::Swap> swaps;
        if (!facts_are_distinct_) return swaps;
        for (const auto& [colour, objects] : colours_.classes()) {
            std::vector<Symbol> last;  // last object of every class
            for (const Symbol object : objects) {
                if (work_ > kMostVisitsForSwaps) return swaps;
                const auto alone = [&](Symbol each) { return is_symmetry({{each, object}}); };
                const auto with_others = [&](Symbol each) { return is_symmetry(colours_.exchange(each, object)); };
                auto known = std::ranges::find_if(last, alone);
                if (known == last.end()) known = std::ranges::find_if(last, with_others);
                if (known == last.end()) {
                    last.push_back(object);
                } else {
                    if (is_new(swaps)) swaps.push_back(found());
                    *known = object;
                }
                forget();
            }
        }
        return swaps;
    }

private:
    // Whether the current swap is not in the list: a swap of several pairs is found once for each of its pairs.
    bool is_new(const std::vector<Symmetries::Swap>& swaps) const {
        return std::ranges::none_of(swaps, [&](const auto& each) { return each.objects == pairs_; });
    }

    void index_objects() {
        std::vector<std::vector<std::uint32_t>> facts(task_.symbols.size()), actions(task_.symbols.size());
        const auto add = [](std::span<const Symbol> row, std::uint32_t number, auto& lists) {
            for (std::size_t i = 1; i < row.size(); ++i) lists[row[i]].push_back(number);
        };
        for (FactId fact = 0; fact < task_.fact_count(); ++fact) add(task_.fact_atom[fact], fact, facts);
        for (ActionId action = 0; action < task_.action_count(); ++action)
            add(task_.action_atom[action], action, actions);
        facts_of_object_ = rows_of(std::move(facts));
        actions_of_object_ = rows_of(std::move(actions));
    }
    void index_facts() {
        std::vector<std::vector<std::uint32_t>> actions(task_.fact_count()), rules(task_.fact_count());
        for (ActionId action = 0; action < task_.action_count(); ++action) {
            for (const FactId fact : task_.precondition[action]) actions[fact].push_back(action);
            for (auto effect = task_.first_effect[action]; effect < task_.first_effect[action + 1]; ++effect) {
                actions[task_.effect[effect]].push_back(action);
                for (const FactId fact : task_.effect_condition[effect]) actions[fact].push_back(action);
            }
        }
        for (std::uint32_t rule = 0; rule < task_.rule_head.size(); ++rule) {
            rules[task_.rule_head[rule]].push_back(rule);
            for (const FactId fact : task_.rule_body[rule]) rules[fact].push_back(rule);
        }
        actions_of_fact_ = rows_of(std::move(actions));
        rules_of_fact_ = rows_of(std::move(rules));
    }

    static Atom atom_of(std::span<const Symbol> row) { return {row.begin(), row.end()}; }
    Atom fact_key(FactId fact) const {
        Atom key = atom_of(task_.fact_atom[fact]);
        key.push_back(task_.fact_negated[fact]);
        return key;
    }
    // The atom with the objects swapped; its first symbol and the mark of negation stay.
    Atom swapped(Atom atom, std::size_t end) const {
        for (std::size_t i = 1; i < end; ++i) atom[i] = object_image_[atom[i]];
        return atom;
    }

    // Only facts, actions and rules that the swap can change are visited.
    bool is_symmetry(ObjectColours::Pairs pairs) {
        forget();
        pairs_ = std::move(pairs);
        for (const auto& [left, right] : pairs_)
            for (const auto& [object, image] : {std::pair(left, right), std::pair(right, left)})
                objects_visited_.push_back(object), object_image_[object] = image;
        const bool is_involution = std::ranges::all_of(
            objects_visited_, [&](Symbol object) { return object_image_[object_image_[object]] == object; });
        return !pairs_.empty() && is_involution && map_facts() && map_variables() && goal_is_kept() && map_actions() &&
               rules_are_kept();
    }
    void forget() {
        for (const Symbol object : objects_visited_) object_image_[object] = object;
        objects_visited_.clear();
        for (const FactId fact : facts_visited_) fact_image_[fact] = fact;
        for (const ActionId action : actions_visited_) action_image_[action] = action;
        facts_visited_.clear();
        variables_visited_.clear();
        actions_visited_.clear();
    }
    void note_work() {
        ++work_;
        watch_.tick();
    }

    bool map_facts() {
        std::set<std::uint32_t> variables;
        for (const Symbol object : objects_visited_) {
            for (const FactId fact : facts_of_object_[object]) {
                note_work();
                const Atom key = fact_key(fact);
                const auto found = facts_.find(swapped(key, key.size() - 1));
                if (found == facts_.end()) return false;
                fact_image_[fact] = found->second;
                facts_visited_.push_back(fact);
                variables.insert(variable_of_[fact]);
            }
        }
        variables_visited_.assign(variables.begin(), variables.end());
        return true;
    }
    bool map_variables() {
        return std::ranges::all_of(variables_visited_, [&](auto each) { return map_variable(each); });
    }
    // Maps the variable if the swap maps all of its values to values of one variable with the same domain size and layer.
    bool map_variable(std::uint32_t variable) {
        const FactId begin = task_.first_fact[variable], end = task_.first_fact[variable + 1];
        std::optional<std::uint32_t> to;
        for (FactId fact = begin; fact < end; ++fact) {
            note_work();
            if (task_.fact_atom[fact].empty()) continue;
            const std::uint32_t here = variable_of_[fact_image_[fact]];
            if (to.value_or(here) != here) return false;
            to = here;
        }
        if (!to || task_.domain_size[*to] != task_.domain_size[variable] || task_.layer[*to] != task_.layer[variable])
            return false;
        if (!map_remainder(begin, end, *to)) return false;
        return task_.layer[variable] < 0 || fact_image_[default_of(variable)] == default_of(*to);
    }
    FactId default_of(std::uint32_t variable) const {
        return task_.first_fact[variable] + static_cast<FactId>(task_.initial[variable]);
    }
    // Maps the value "none of those", if the variable has one; false if only one of the two variables has such a value.
    bool map_remainder(FactId begin, FactId end, std::uint32_t to) {
        const auto remainder = [&](FactId first, FactId last) {
            while (first < last && !task_.fact_atom[first].empty()) ++first;
            return first;
        };
        const FactId own = remainder(begin, end), last = task_.first_fact[to + 1];
        const FactId other = remainder(task_.first_fact[to], last);
        if ((own == end) != (other == last)) return false;
        if (own == end) return true;
        fact_image_[own] = other;
        facts_visited_.push_back(own);
        return true;
    }
    // Whether the swap maps the goal to itself; facts that were not visited are mapped to themselves.
    bool goal_is_kept() const {
        return std::ranges::all_of(facts_visited_,
                                   [&](FactId fact) { return is_goal_[fact] == is_goal_[fact_image_[fact]]; });
    }

    Facts images(std::span<const FactId> facts) const {
        Facts result;
        for (const FactId fact : facts) result.push_back(fact_image_[fact]);
        return sorted(std::move(result));
    }

    bool map_actions() {
        std::set<ActionId> visited;
        for (const Symbol object : objects_visited_)
            for (const ActionId action : actions_of_object_[object]) visited.insert(action);
        for (const FactId fact : facts_visited_)
            if (fact_image_[fact] != fact)
                for (const ActionId action : actions_of_fact_[fact]) visited.insert(action);
        actions_visited_.assign(visited.begin(), visited.end());
        if (!std::ranges::all_of(actions_visited_, [&](ActionId action) { return map_action(action); })) return false;
        return std::ranges::all_of(actions_visited_,
                                   [&](ActionId action) { return action_image_[action_image_[action]] == action; });
    }
    // Several actions may have the same name, such as one per disjunct of a precondition. So preconditions and effects
    // are compared, too.
    bool map_action(ActionId action) {
        const Atom name = atom_of(task_.action_atom[action]);
        const auto named = actions_.find(swapped(name, name.size()));
        if (named == actions_.end()) return false;
        const Facts precondition = images(task_.precondition[action]);
        const auto changes = effects(action, true);
        const auto image = std::ranges::find_if(named->second, [&](ActionId other) {
            note_work();
            return task_.cost[action] == task_.cost[other] &&
                   std::ranges::equal(precondition, task_.precondition[other]) && changes == effects(other, false);
        });
        if (image == named->second.end()) return false;
        action_image_[action] = *image;
        return true;
    }
    // The order of effects that set a variable to different values matters; that of others does not.
    std::vector<std::pair<FactId, Facts>> effects(ActionId action, bool mapped) const {
        std::vector<std::pair<FactId, Facts>> all;
        for (auto effect = task_.first_effect[action]; effect < task_.first_effect[action + 1]; ++effect) {
            const auto condition = task_.effect_condition[effect];
            const FactId fact = task_.effect[effect];
            all.emplace_back(mapped ? fact_image_[fact] : fact,
                             mapped ? images(condition) : sorted(Facts(condition.begin(), condition.end())));
        }
        const auto variable = [&](const auto& each) { return variable_of_[each.first]; };
        std::ranges::stable_sort(all, {}, variable);
        for (auto first = all.begin(); first != all.end();) {
            const auto last =
                std::find_if(first, all.end(), [&](const auto& each) { return each.first != first->first; });
            std::sort(first, last);
            first = last;
        }
        return all;
    }

    std::pair<FactId, Facts> image_of_rule(std::size_t rule) const {
        return {fact_image_[task_.rule_head[rule]], images(task_.rule_body[rule])};
    }
    bool rules_are_kept() {
        for (const FactId fact : facts_visited_)
            for (const std::uint32_t rule : rules_of_fact_[fact]) {
                note_work();
                if (!rules_.contains(image_of_rule(rule))) return false;
            }
        return true;
    }

    Symmetries::Swap found() const {
        Symmetries::Swap swap{pairs_, {variables_visited_.rbegin(), variables_visited_.rend()}, {}, {}};
        std::erase_if(swap.variables, [&](auto variable) { return task_.layer[variable] >= 0; });
        for (const auto variable : swap.variables) swap.moves.push_back(move_to(variable));
        for (const ActionId action : actions_visited_)
            if (action < action_image_[action]) swap.actions.emplace_back(action, action_image_[action]);
        return swap;
    }
    // The swap is its own inverse: a variable gets its values from the variable that it is mapped to.
    Symmetries::Move move_to(std::uint32_t variable) const {
        const FactId begin = task_.first_fact[variable], end = task_.first_fact[variable + 1];
        const std::uint32_t from = variable_of_[fact_image_[begin]];
        Symmetries::Move move{layout_.field[from], layout_.field[variable], {}, {}};
        for (FactId fact = task_.first_fact[from]; fact < task_.first_fact[from + 1]; ++fact)
            move.image.push_back(fact_image_[fact] - begin);
        for (FactId fact = begin; fact < end; ++fact) {
            const bool is_atom = !task_.fact_atom[fact].empty() && task_.fact_negated[fact] == 0;
            move.rank.push_back(is_atom ? fact - begin + 1 : 0);
        }
        return move;
    }

    const GroundTask& task_;
    const Layout& layout_;
    Budget& watch_;
    std::vector<std::uint32_t> variable_of_;
    std::vector<std::uint8_t> is_goal_;
    ObjectColours colours_;
    std::unordered_map<Atom, FactId, AtomHash> facts_;
    std::unordered_map<Atom, std::vector<ActionId>, AtomHash> actions_;
    std::set<std::pair<FactId, Facts>> rules_;
    bool facts_are_distinct_ = true;
    Rows facts_of_object_, actions_of_object_, actions_of_fact_, rules_of_fact_;
    std::size_t work_ = 0;
    // The current swap: the images of objects, facts and actions, and those that it may change.
    ObjectColours::Pairs pairs_;
    std::vector<Symbol> object_image_, objects_visited_;
    std::vector<FactId> fact_image_;
    std::vector<ActionId> action_image_;
    std::vector<FactId> facts_visited_;
    std::vector<std::uint32_t> variables_visited_;
    std::vector<ActionId> actions_visited_;
};

}  // namespace

Symmetries::Symmetries(const GroundTask& task, const Layout& layout, Budget& watch) {
    const bool is_named = task.fact_atom.size() == task.fact_count() && task.action_atom.size() == task.action_count();
    if (is_named) swaps_ = SymmetryFinder(task, layout, watch).find();
}

std::vector<std::string> Symmetries::Swap::names(const GroundTask& task) const {
    std::vector<std::string> names;
    for (const auto& [left, right] : objects) names.insert(names.end(), {task.symbols[left], task.symbols[right]});
    return names;
}

Rows Symmetries::swaps_after(const GroundTask& task) const {
    std::vector<std::vector<std::uint32_t>> of_variable(task.variable_count()), of_action(task.action_count());
    for (std::uint32_t swap = 0; swap < swaps_.size(); ++swap)
        for (const auto variable : swaps_[swap].variables) of_variable[variable].push_back(swap);
    const std::vector<std::uint32_t> variable_of = variables_of_facts(task);
    for (ActionId action = 0; action < task.action_count(); ++action)
        for (auto effect = task.first_effect[action]; effect < task.first_effect[action + 1]; ++effect) {
            const auto& swaps = of_variable[variable_of[task.effect[effect]]];
            of_action[action].insert(of_action[action].end(), swaps.begin(), swaps.end());
        }
    return rows_of(std::move(of_action));
}

void Symmetries::apply(const Swap& swap, Word* state) {
    after_.clear();
    for (const Move& move : swap.moves) after_.push_back(move.image[move.from_field.get(state)]);
    for (std::size_t i = 0; i < swap.moves.size(); ++i) swap.moves[i].to_field.set(state, after_[i]);
}

}  // namespace fsplan
