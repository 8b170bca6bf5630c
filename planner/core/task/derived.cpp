#include "task/derived.hpp"

namespace fsplan {

namespace {

Rows rows_by_fact(const GroundTask& task) {
    Rows rows;
    std::vector<std::vector<std::uint32_t>> lists(task.fact_count());
    for (std::uint32_t r = 0; r < task.rule_head.size(); ++r) {
        for (auto fact : task.rule_body[r]) lists[fact].push_back(r);
    }
    for (const auto& list : lists) {
        rows.items.insert(rows.items.end(), list.begin(), list.end());
        rows.end_row();
    }
    return rows;
}

}  // namespace

DerivedEvaluator::DerivedEvaluator(const GroundTask& task, const Layout& layout)
    : task_(task), layout_(layout), rules_with_(rows_by_fact(task)) {
    auto layers = 1 + *std::ranges::max_element(task.layer);
    variables_of_layer_.resize(layers);
    ready_.resize(layers);
    for (std::uint32_t r = 0; r < task.rule_head.size(); ++r) {
        body_size_.push_back(static_cast<std::uint32_t>(task.rule_body[r].size()));
        layer_of_rule_.push_back(task.layer[layout.variable_of[task.rule_head[r]]]);
        if (body_size_.back() == 0) always_.push_back(r);
    }
    for (std::uint32_t v = 0; v < task.variable_count(); ++v) {
        auto first = rules_with_.begin[task.first_fact[v]], last = rules_with_.begin[task.first_fact[v + 1]];
        if (task.layer[v] >= 0) variables_of_layer_[task.layer[v]].push_back(v);
        else if (first != last) watched_.push_back(v);
    }
}

void DerivedEvaluator::make_true(FactId fact) {
    for (auto rule : rules_with_[fact]) {
        if (--missing_[rule] == 0) ready_[layer_of_rule_[rule]].push_back(rule);
    }
}

void DerivedEvaluator::evaluate(Word* state) {
    missing_ = body_size_;
    for (const auto& layer : variables_of_layer_) {
        for (auto v : layer) layout_.field[v].set(state, task_.initial[v]);
    }
    for (auto rule : always_) ready_[layer_of_rule_[rule]].push_back(rule);
    for (auto v : watched_) make_true(task_.first_fact[v] + layout_.field[v].get(state));
    for (std::size_t layer = 0; layer < ready_.size(); ++layer) {
        auto& ready = ready_[layer];
        for (std::size_t next = 0; next < ready.size(); ++next) {
            auto head = task_.rule_head[ready[next]];
            auto v = layout_.variable_of[head];
            auto value = head - task_.first_fact[v];
            if (layout_.field[v].get(state) == value) continue;
            layout_.field[v].set(state, value);
            make_true(head);
        }
        ready.clear();
        for (auto v : variables_of_layer_[layer]) {
            auto value = layout_.field[v].get(state);
            if (value == static_cast<Word>(task_.initial[v])) make_true(task_.first_fact[v] + value);
        }
    }
}

}  // namespace fsplan
