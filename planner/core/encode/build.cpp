#include "encode/build.hpp"

namespace fsplan {

namespace {

class Symbols {
public:
    explicit Symbols(std::vector<std::string>& names) : names_(names) {}

    std::uint32_t number(const std::string& name) {
        auto [found, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(name);
        return found->second;
    }

private:
    std::vector<std::string>& names_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

// Splits "on(a, b)" or "stack a b" into words.
std::vector<std::string> split_words(const std::string& text) {
    std::vector<std::string> words(1);
    for (char c : text) {
        if (c != ' ' && c != '(' && c != ')' && c != ',') {
            words.back() += c;
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

class TaskBuilder {
public:
    explicit TaskBuilder(const TaskLists& lists) : lists_(lists), symbols_(task_.symbols) {}

    GroundTask build() {
        add_variables();
        add_names();
        add_actions();
        for (std::size_t rule = 0; rule < lists_.rules.size(); ++rule) add_rule(rule);
        for (auto each : lists_.goal) task_.goal.push_back(fact(each));
        task_.unit_cost = lists_.unit_cost;
        return std::move(task_);
    }

private:
    static void require(bool holds, const std::string& message) {
        if (!holds) throw std::invalid_argument(message);
    }

    FactId fact(VariableValue pair) const {
        auto [variable, value] = pair;
        bool known = variable >= 0 && static_cast<std::size_t>(variable) < task_.domain_size.size() && value >= 0 &&
                     value < task_.domain_size[variable];
        require(known, "no variable " + std::to_string(variable) + " with a value " + std::to_string(value));
        return task_.first_fact[variable] + static_cast<FactId>(value);
    }

    bool is_derived(VariableValue pair) const {
        fact(pair);
        return task_.layer[pair.first] >= 0;
    }

    // Layers are evaluated one after the other, each to a fixpoint in which derived variables only leave their default.
    // So a rule may read derived variables of lower layers, whose values are final. Of its own layer it may read only
    // values other than the default: whether a variable keeps its default is not known before the layer is finished.
    // For example, the rule "a if not a" is not allowed, and the rules "a if b" and "b if a" are.
    void add_rule(std::size_t number) {
        const auto& [head, body] = lists_.rules[number];
        const std::string name = "rule " + std::to_string(number);
        require(is_derived(head), name + ": a rule's head must be a derived variable");
        require(head.second != task_.initial[head.first], name + " sets its variable to the default");
        for (auto part : body) {
            if (!is_derived(part)) continue;
            const auto layer = task_.layer[part.first], own = task_.layer[head.first];
            require(layer <= own, name + " of layer " + std::to_string(own) + " reads a variable of layer " +
                                      std::to_string(layer) + ", which is evaluated later");
            require(layer < own || part.second != task_.initial[part.first],
                    name + " reads the default of a variable of its own layer");
        }
        task_.rule_head.push_back(fact(head));
        add_row(task_.rule_body, body, name);
    }

    void add_variables() {
        auto count = lists_.domain_size.size();
        require(lists_.layer.size() == count && lists_.initial.size() == count, "one layer and value per variable");
        task_.domain_size = lists_.domain_size;
        task_.layer = lists_.layer;
        task_.initial = lists_.initial;
        task_.first_fact.assign(1, 0);
        for (std::size_t v = 0; v < count; ++v) {
            const std::string name = "variable " + std::to_string(v);
            require(lists_.domain_size[v] > 0, name + " has no value");
            require(lists_.layer[v] >= -1 && lists_.layer[v] < static_cast<std::int64_t>(count),
                    name + " has layer " + std::to_string(lists_.layer[v]) +
                        "; layers are numbered from 0, and there are fewer than variables");
            task_.first_fact.push_back(task_.first_fact.back() + static_cast<FactId>(lists_.domain_size[v]));
            fact({static_cast<std::int32_t>(v), lists_.initial[v]});
        }
    }

    void add_names() {
        require(lists_.fact_names.size() == task_.fact_count(), "one name per fact");
        for (const auto& name : lists_.fact_names) {
            bool negated = name.starts_with("NegatedAtom ");
            bool atom = name.starts_with("Atom ");
            task_.fact_negated.push_back(negated);
            if (negated || atom) add_words(task_.fact_atom, name.substr(atom ? 5 : 12));
            else task_.fact_atom.end_row();
        }
        for (const auto& name : lists_.action_names) add_words(task_.action_atom, name);
    }

    void add_words(Rows& rows, const std::string& text) {
        for (const auto& word : split_words(text)) rows.items.push_back(symbols_.number(word));
        rows.end_row();
    }

    void add_row(Rows& rows, const ValueList& condition, const std::string& owner) {
        ValueList sorted = condition;
        sort_unique(sorted);
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            require(i == 0 || sorted[i].first != sorted[i - 1].first, owner + ": two values of one variable");
            rows.items.push_back(fact(sorted[i]));
        }
        rows.end_row();
    }

    void add_actions() {
        auto count = lists_.action_names.size();
        require(lists_.preconditions.size() == count && lists_.effects.size() == count && lists_.costs.size() == count,
                "one precondition, effect list and cost per action");
        task_.first_effect.assign(1, 0);
        for (std::size_t a = 0; a < count; ++a) {
            const auto& name = lists_.action_names[a];
            add_row(task_.precondition, lists_.preconditions[a], name);
            for (const auto& [effect, condition] : lists_.effects[a]) {
                require(!is_derived(effect), name + " sets a derived variable");
                task_.effect.push_back(fact(effect));
                add_row(task_.effect_condition, condition, name);
            }
            task_.first_effect.push_back(static_cast<std::uint32_t>(task_.effect.size()));
            require(lists_.costs[a] >= 0, name + " has a negative cost");
            task_.cost.push_back(lists_.costs[a]);
        }
    }

    const TaskLists& lists_;
    GroundTask task_;
    Symbols symbols_;
};

}  // namespace

GroundTask build_task(const TaskLists& lists) { return TaskBuilder(lists).build(); }

}  // namespace fsplan
