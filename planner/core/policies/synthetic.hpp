// Synthetic policies of a chosen accuracy, for tasks whose graph fits in memory.
//
// Scores y_1 > y_2 > … are the softmax of random numbers. In every state one optimal action is drawn; it gets y_1 with
// probability `accuracy`, else y_j, j >= 2, with probability proportional to y_j; the other actions share the rest of
// the scores at random. Only the drawn action and its j are stored: the rest is recomputed from the seed and the state,
// so a policy is a pure function of the state.
#pragma once

#include "contract/policy.hpp"
#include "policies/random.hpp"
#include "policies/value_table.hpp"

namespace fsplan {

enum class Distribution { normal, uniform, exponential };
// The actions that get scores: all actions of the task, so that the best one may be inapplicable, or the applicable
// ones.
enum class Support { all_actions, applicable };

struct SyntheticOptions {
    double accuracy = 0.9;
    Distribution distribution = Distribution::normal;
    double scale = 1.0;
    bool shared = true;  // one list of scores for all states, or one per state
    Support support = Support::all_actions;
    bool masked = true;  // renormalise over the applicable actions
    std::uint64_t seed = 0;
};

// A complete graph; distance is h*, kDeadEnd for states from which no goal can be reached.
struct GraphView {
    std::size_t states;
    const std::uint32_t* edges_begin;  // states + 1
    const ActionId* actions;           // per edge, rising within a state
    const StateId* targets;
    const Cost* costs;
    const Cost* distance;
    const std::uint8_t* is_goal;

    bool has_decision(StateId state) const { return is_goal[state] == 0 && distance[state] != kDeadEnd; }
    bool is_optimal(StateId state, std::uint32_t edge) const {
        const Cost rest = distance[targets[edge]];
        return rest != kDeadEnd && std::int64_t{costs[edge]} + rest == distance[state];
    }
};

// Counts from which the accuracy of a policy follows: the fraction of the states, without goals and dead ends, in which
// its best action is optimal.
struct MeasuredAccuracy {
    std::uint64_t states = 0;
    std::uint64_t literal = 0;  // states whose best action, applicable or not, is optimal
    std::uint64_t masked = 0;   // states whose best applicable action is optimal
};

class SyntheticPolicy final : public PolicyWithMemory {
public:
    // values(state, out) writes the state's integers to out. If `accuracies` is not empty, it has an accuracy for each
    // state, which replaces options.accuracy.
    template <class Values>
    SyntheticPolicy(const GraphView& graph, std::span<const std::int32_t> domain_sizes, std::size_t action_count,
                    const SyntheticOptions& options, std::span<const float> accuracies, Values&& values)
        : SyntheticPolicy(domain_sizes, action_count, options) {
        std::vector<std::int32_t> integers(domain_sizes.size());
        for (StateId state = 0; state < graph.states; ++state) {
            values(state, std::span<std::int32_t>(integers));
            add(graph, state, integers.data(), accuracies.empty() ? options.accuracy : accuracies[state]);
        }
    }

    bool is_well_defined() const override { return options_.support == Support::applicable; }
    void score_in_turn(const PolicyBatch& batch) override;
    const MeasuredAccuracy& measured() const { return measured_; }
    const SyntheticOptions& options() const { return options_; }
    // The scores log y_1, log y_2, … that states with this number of applicable actions share.
    std::span<const float> shared_scores(std::size_t edges) { return shared_list(list_size(edges)).logarithm; }
    std::size_t size() const { return table_.size(); }
    std::size_t bytes() const { return table_.bytes() + choices_.bytes(); }

private:
    struct Choice {
        ActionId action;      // kNoAction for goals and dead ends
        std::uint32_t place;  // j - 1
    };

    struct ScoreList {
        std::vector<float> logarithm;  // log y_1, log y_2, …
        std::vector<double> wrong;     // Σ y_2 … y_j
    };

    SyntheticPolicy(std::span<const std::int32_t> domain_sizes, std::size_t action_count,
                    const SyntheticOptions& options);

    void add(const GraphView& graph, StateId state, const std::int32_t* values, double accuracy);
    ActionId draw_optimal(const GraphView& graph, StateId state, Random& random) const;
    static std::uint32_t draw_place(const ScoreList& scores, double accuracy, Random& random);
    void measure(const GraphView& graph, StateId state, const Choice& choice, Random random);

    std::size_t list_size(std::size_t edges) const {
        return options_.support == Support::all_actions ? action_count_ : edges;
    }
    // The list of scores shared by all states, or the state's own list.
    const ScoreList& scores_for(std::size_t edges, std::uint64_t hash);
    const ScoreList& shared_list(std::size_t size);
    void draw_list(std::size_t size, Random random, ScoreList& list) const;
    // Assigns places (0-based positions in the list of scores) to the actions of one state.
    void deal(std::span<const ActionId> actions, std::size_t list_size, const Choice& choice, Random random);

    SyntheticOptions options_;
    std::size_t action_count_;
    ValueTable table_;
    FlatArray<Choice> choices_;
    MeasuredAccuracy measured_;
    std::map<std::size_t, ScoreList> shared_;
    ScoreList own_;
    std::vector<std::uint32_t> places_, order_, swapped_;
};

}  // namespace fsplan
