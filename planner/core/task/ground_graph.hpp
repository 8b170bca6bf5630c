// The labelled graph of a ground task (see contract/graph.hpp). A state is a view of its stored words; derived
// variables are recomputed when they are read, once per expansion including the goal test.
#pragma once

#include "containers/store.hpp"
#include "contract/graph.hpp"
#include "task/derived.hpp"
#include "task/layout.hpp"
#include "task/safe_actions.hpp"
#include "task/successors.hpp"
#include "task/task.hpp"

namespace fsplan {

class GroundGraph {
public:
    using State = const Word*;
    using Store = PackedStore<Word>;

    // The task must outlive the graph, the watch only its construction.
    explicit GroundGraph(const GroundTask& task, Budget& watch = unlimited());
    GroundGraph(const GroundGraph&) = delete;
    GroundGraph& operator=(const GroundGraph&) = delete;

    // Prunes: from now on a state with an applicable safe action has only the successor by that action
    // (safe_actions.hpp).
    void take_safe_actions_first(Budget& watch) { safe_ = safe_actions(task_, watch); }

    Store make_store() const { return Store(layout_.stored_words); }
    State start() const { return start_.data(); }
    void set_start(State state) { std::copy_n(state, layout_.stored_words, start_.data()); }
    bool is_goal(State state) { return holds(goal_, full(state)); }
    std::size_t action_count() const { return task_.action_count(); }
    std::size_t width() const { return task_.variable_count(); }
    void values(State state, std::span<std::int32_t> out);

    template <class Emit>
    void successors(State state, Emit&& emit) {
        const Word* before = full(state);
        list_applicable(before);
        // emit may test whether a successor is a goal, which overwrites full_.
        if (derived_) before = std::copy_n(before, layout_.words, expanded_.data()) - layout_.words;
        for (auto action : applicable_) {
            apply(action, before);
            emit(action, task_.cost[action], static_cast<State>(successor_.data()));
        }
    }

    // Calls emit(ActionId, Cost) for every action that successors would apply.
    template <class Emit>
    void labels(State state, Emit&& emit) {
        list_applicable(full(state));
        for (const ActionId action : applicable_) emit(action, cost(action));
    }
    Cost cost(ActionId action) const { return task_.cost[action]; }
    // The successor by one action, or null if the action is not applicable; valid until the next call.
    State successor(State state, ActionId action);

    const GroundTask& task() const { return task_; }
    const Layout& layout() const { return layout_; }

private:
    // state[word] = (state[word] & keep) | set
    struct Change {
        std::uint32_t word;
        Word keep;
        Word set;
    };
    struct ConditionalChange {
        std::uint32_t tests_begin, tests_end;
        Change change;
    };

    void add_effects(ActionId action);
    void add_conditional(std::size_t effect);
    const Word* full(State state) {
        if (!derived_) return state;
        if (full_is_set_ && std::equal(state, state + layout_.stored_words, full_.data())) return full_.data();
        std::copy_n(state, layout_.stored_words, full_.data());
        derived_->evaluate(full_.data());
        full_is_set_ = true;
        return full_.data();
    }
    void apply(ActionId action, const Word* before) {
        std::copy_n(before, layout_.stored_words, successor_.data());
        for (auto c = changes_begin_[action]; c < changes_begin_[action + 1]; ++c) {
            const auto& change = changes_[c];
            successor_[change.word] = (successor_[change.word] & change.keep) | change.set;
        }
        for (auto c = conditional_begin_[action]; c < conditional_begin_[action + 1]; ++c) {
            const auto& [begin, end, change] = conditional_[c];
            if (!holds({condition_tests_.data() + begin, condition_tests_.data() + end}, before)) continue;
            successor_[change.word] = (successor_[change.word] & change.keep) | change.set;
        }
    }
    void list_applicable(const Word* state) {
        generator_.applicable(state, applicable_);
        if (!safe_.empty()) keep_safe_action();
    }
    void keep_safe_action() {
        const auto safe = std::ranges::find_if(applicable_, [&](ActionId action) { return safe_[action] != 0; });
        if (safe != applicable_.end()) applicable_ = {*safe};
    }

    const GroundTask& task_;
    Layout layout_;
    SuccessorGenerator generator_;
    std::optional<DerivedEvaluator> derived_;
    std::vector<std::uint32_t> changes_begin_{0};
    std::vector<Change> changes_;
    std::vector<std::uint32_t> conditional_begin_{0};
    std::vector<ConditionalChange> conditional_;
    std::vector<WordTest> condition_tests_;
    std::vector<WordTest> goal_;
    std::vector<Word> start_, successor_, full_, expanded_;
    bool full_is_set_ = false;
    std::vector<ActionId> applicable_;
    std::vector<std::uint8_t> safe_;  // per action; empty without pruning by safe actions
};

static_assert(Graph<GroundGraph>);

}  // namespace fsplan
