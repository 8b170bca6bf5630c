#include "ungrounded/split_rules.hpp"

namespace fsplan {

namespace {

// Largest arity of auxiliary predicates: with more arguments they might have more atoms than the rule has instances.
constexpr std::size_t kMostArguments = 3;

bool has_term(const lifted::Literal& literal, lifted::Term variable) {
    return std::ranges::find(literal.arguments, variable) != literal.arguments.end();
}

std::vector<lifted::Term> variables_of(std::span<const lifted::Literal> literals) {
    std::vector<lifted::Term> found;
    for (const auto& literal : literals)
        for (const lifted::Term term : literal.arguments)
            if (term >= 0 && std::ranges::find(found, term) == found.end()) found.push_back(term);
    return found;
}

// Renumbers the variables of a rule in the order of the list; other variables are removed.
lifted::Rule with_variables(lifted::Rule rule, const std::vector<lifted::Term>& variables) {
    std::vector<std::int32_t> types;
    for (const lifted::Term variable : variables) types.push_back(rule.types[static_cast<std::size_t>(variable)]);
    const auto renumber = [&](lifted::Literal& literal) {
        for (lifted::Term& term : literal.arguments)
            if (term >= 0) term = static_cast<lifted::Term>(std::ranges::find(variables, term) - variables.begin());
    };
    for (auto& literal : rule.body) renumber(literal);
    renumber(rule.head);
    rule.types = std::move(types);
    return rule;
}

class Splitter {
public:
    Splitter(lifted::Task& task, lifted::Rule rule) : task_(task), rule_(std::move(rule)) {
        for (lifted::Term variable = 0; variable < static_cast<lifted::Term>(rule_.types.size()); ++variable)
            if (has_term(rule_.head, variable)) kept_.push_back(variable);
            else hidden_.push_back(variable);
    }

    void run() {
        while (const auto variable = next()) project_out(*variable);
        kept_.insert(kept_.end(), hidden_.begin(), hidden_.end());
        task_.rules.push_back(with_variables(std::move(rule_), kept_));
    }

private:
    std::vector<lifted::Literal> literals_with(lifted::Term variable) const {
        std::vector<lifted::Literal> found;
        std::ranges::copy_if(rule_.body, std::back_inserter(found),
                             [&](const lifted::Literal& literal) { return has_term(literal, variable); });
        return found;
    }
    // The variable to be projected out next: the one whose auxiliary predicate has the fewest arguments. None if
    // projecting out a variable would not simplify the rule.
    std::optional<lifted::Term> next() const {
        std::optional<lifted::Term> best;
        std::size_t fewest = kMostArguments + 1;
        for (const lifted::Term variable : hidden_) {
            const auto literals = literals_with(variable);
            const std::size_t arguments = literals.empty() ? 0 : variables_of(literals).size() - 1;
            if ((literals.size() == rule_.body.size() && !literals.empty()) || arguments >= fewest) continue;
            best = variable;
            fewest = arguments;
        }
        return best;
    }
    void project_out(lifted::Term variable) {
        auto literals = literals_with(variable);
        auto variables = variables_of(literals);
        std::erase(variables, variable);
        std::erase_if(rule_.body, [&](const lifted::Literal& literal) { return has_term(literal, variable); });
        std::erase(hidden_, variable);
        const lifted::Literal head{static_cast<std::int32_t>(task_.predicates.size()), false, variables};
        task_.predicates.push_back({"split@" + std::to_string(task_.predicates.size()),
                                    static_cast<std::int32_t>(variables.size()), false, true});
        task_.init.emplace_back();
        rule_.body.push_back(head);
        variables.push_back(variable);
        task_.rules.push_back(with_variables({head, rule_.types, std::move(literals), {}}, variables));
    }

    lifted::Task& task_;
    lifted::Rule rule_;
    std::vector<lifted::Term> kept_, hidden_;  // variables in the head, and those still to be projected out
};

}  // namespace

void add_split_rule(lifted::Task& task, lifted::Rule rule) { Splitter(task, std::move(rule)).run(); }

}  // namespace fsplan
