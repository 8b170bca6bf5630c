#include "encode/rules.hpp"

namespace fsplan {

namespace {

using propositional::Literal;

class Subsumption {
public:
    explicit Subsumption(const propositional::Task& task)
        : task_(task), kept_(2 * task.atom.size()), in_body_(2 * task.atom.size()), needed_(task.rule_head.size()) {}

    // Visits the rules of one head, sorted by length of the body.
    void visit(std::span<const std::uint32_t> rules) {
        bool always = false;  // whether a rule with an empty body was kept
        for (auto rule : rules) {
            auto body = task_.rule_body[rule];
            if (always || std::ranges::find(body, 2 * task_.rule_head[rule]) != body.end()) continue;
            for (auto literal : body) in_body_[literal] = 1;
            if (!subsumed(body)) {
                needed_[rule] = 1;
                always = body.empty();
                if (!always) kept_[body[0]].push_back(rule);
            }
            for (auto literal : body) in_body_[literal] = 0;
        }
        for (auto rule : rules)
            if (!task_.rule_body[rule].empty()) kept_[task_.rule_body[rule][0]].clear();
    }

    std::vector<std::uint8_t> result() { return std::move(needed_); }

private:
    bool subsumed(std::span<const Literal> body) const {
        auto given = [&](Literal literal) { return in_body_[literal] != 0; };
        return std::ranges::any_of(body, [&](Literal first) {
            return std::ranges::any_of(kept_[first],
                                       [&](auto other) { return std::ranges::all_of(task_.rule_body[other], given); });
        });
    }

    const propositional::Task& task_;
    std::vector<std::vector<std::uint32_t>> kept_;  // literal -> kept rules of this head whose body begins with it
    std::vector<std::uint8_t> in_body_;             // literal -> whether it is in the current body
    std::vector<std::uint8_t> needed_;
};

}  // namespace

std::vector<std::uint8_t> needed_rules(const propositional::Task& task) {
    std::vector<std::uint32_t> order(task.rule_head.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {},
                             [&](auto rule) { return std::pair(task.rule_head[rule], task.rule_body[rule].size()); });
    Subsumption subsumption(task);
    for (std::size_t i = 0, j; i < order.size(); i = j) {
        for (j = i; j < order.size() && task.rule_head[order[j]] == task.rule_head[order[i]];) ++j;
        subsumption.visit(std::span(order).subspan(i, j - i));
    }
    return subsumption.result();
}

}  // namespace fsplan
