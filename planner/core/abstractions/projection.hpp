// The projection of a ground task to some variables (its pattern), and distances to the goal in it under any costs.
//
// An abstract state is a number: Σ value · stride over the pattern. Of a large pattern only the abstract states that can be
// reached from a start are kept: a plan from the start visits no others, so what holds for these is enough for its bounds.
// Actions whose preconditions and effects look alike in
// the pattern form a group: they have the same transitions and differ in costs only, so a group costs as much as its
// cheapest member. Facts of variables outside the pattern, and derived facts, are taken to hold where an action needs
// them; an effect whose condition mentions such facts may happen or not, and both are transitions. So every transition
// of the task is one of the projection, and distances are admissible.
//
// Saturated costs: with h the goal distances under some costs, an action needs only
//     saturated(a) = max over transitions s → s' by a of h(s) − h(s')
// of its cost for h to stay what it is. What remains is left for other projections, and the sum of all is admissible.
// It can be negative, where the action leads away from the goal in every state: then others may even use more. For a
// plan from s, read as counts x of its actions, Σ saturated(a) · x(a) >= h(s): a row of a linear program.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph.hpp"
#include "heuristics/ground_heuristic.hpp"
#include "task/task.hpp"
#include "work_watch.hpp"

namespace fsplan {

using VariablePattern = std::vector<std::uint32_t>;  // variables, ascending, none of them derived

class Projection {
public:
    std::size_t size() const { return size_; }                     // abstract states
    // What it took to build, and what one pass over it takes: actions, transitions and states.
    std::size_t work() const { return work_; }
    const VariablePattern& pattern() const { return pattern_; }
    const std::vector<std::uint32_t>& strides() const { return stride_; }

    // The place of the abstract state; if only reachable ones are kept, it must be one of them.
    std::size_t index(std::span<const std::int32_t> values) const;

    // Distances to the goal, kDeadEnd where there is none, under these action costs (each at least 0).
    void distances(std::span<const Cost> costs, std::vector<Cost>& h, WorkWatch& watch);
    // The saturated costs of the actions that can leave an abstract state; all others need nothing.
    struct Saturated {
        ActionId action;
        Cost cost;
    };
    void saturate(std::span<const Cost> h, std::vector<Saturated>& costs, WorkWatch& watch) const;

    // Distances under costs of any sign for which some function h has h(s) - h(s') <= cost for all transitions, so that
    // no cycle is negative. kNoPath where there is none.
    static constexpr std::int64_t kNoPath = INT64_MAX;
    std::vector<std::int64_t> signed_distances(std::span<const std::int64_t> costs, WorkWatch& watch) const;
    // The abstract states by place, each as Σ value · stride.
    std::vector<std::uint32_t> numbers() const;

private:
    friend class ProjectionBuilder;
    struct Predecessor {
        std::uint32_t state, group;
    };

    VariablePattern pattern_;
    std::vector<std::uint32_t> stride_;
    std::unordered_map<std::uint32_t, std::uint32_t> reachable_;  // if not all states are kept: number -> place
    std::size_t size_ = 1;
    std::size_t work_ = 0;
    std::vector<std::uint32_t> goals_;             // abstract states
    Rows members_;                                 // group -> positions in actions_
    std::vector<ActionId> actions_;                // ascending
    std::vector<std::uint8_t> may_stay_;           // per position: some transition of the action is a loop
    std::vector<std::uint32_t> predecessors_begin_;
    std::vector<Predecessor> predecessors_;        // abstract state -> what leads to it
    std::vector<Cost> group_cost_;                 // of distances()
    std::vector<std::pair<Cost, std::uint32_t>> open_;
};

// What builders of many projections of one task share.
class ProjectionBuilder {
public:
    ProjectionBuilder(const GroundTask& task, WorkWatch& watch);

    // Nothing if it has more states or takes more work than that, or has effects with too many conditions outside the
    // pattern.
    std::optional<Projection> build(const VariablePattern& pattern, std::size_t most_states, std::size_t most_work);
    // Only what is reachable from `start`, which has one value per variable.
    std::optional<Projection> build_reachable(const VariablePattern& pattern, std::span<const std::int32_t> start,
                                              std::size_t most_states, std::size_t most_work);

private:
    // Transitions from base + f to base + f + delta for all numbers f made of the variables in `free`.
    struct Move {
        std::uint32_t base;
        std::int32_t delta;
        std::uint32_t free;
        std::uint32_t action;  // position in actions_
        friend bool operator==(const Move&, const Move&) = default;
        friend auto operator<=>(const Move&, const Move&) = default;
    };
    struct Effect {
        std::size_t number;
        bool certain;
    };

    static constexpr std::int32_t kAny = -1;
    static constexpr std::size_t kMostUncertain = 4;

    bool begin(const VariablePattern& pattern, std::size_t most_states, std::size_t most_work);
    std::optional<Projection> end(bool fits);
    bool add_action(ActionId action);
    void open_variable(std::uint32_t place);
    bool add_moves(ActionId action, std::size_t next_open);
    bool add_outcomes(ActionId action);
    Move goal_states() const;
    void group_moves();
    bool link_all(std::size_t most_work);
    bool link_reachable(std::span<const std::int32_t> start, std::size_t most_states, std::size_t most_work);
    std::vector<std::int32_t> values_of(std::uint32_t state) const;
    // The values that a state must have to be among the move's, by place.
    struct Requirement {
        std::size_t place;
        std::int32_t value;
    };
    std::vector<Requirement> requirements(const Move& states) const;
    template <class Visit>
    void each_free(const Move& move, Visit visit) const;
    std::uint32_t place(FactId fact) const { return place_[variable_[fact]]; }
    std::int32_t value(FactId fact) const {
        return static_cast<std::int32_t>(fact - task_.first_fact[variable_[fact]]);
    }

    static constexpr std::uint32_t kOutside = 0xFFFFFFFF;
    const GroundTask& task_;
    WorkWatch& watch_;
    std::vector<std::uint32_t> variable_;                 // fact -> variable
    std::vector<std::vector<ActionId>> setters_;          // variable -> actions with an effect on it
    std::vector<std::uint32_t> place_;                    // variable -> place in the pattern or kOutside
    std::vector<FactId> required_;                        // variable -> the action's precondition on it
    Projection projection_;
    std::vector<Move> moves_;
    std::vector<Move> groups_;
    std::size_t most_moves_ = 0;
    std::vector<std::int32_t> before_;                    // place -> value or kAny
    std::vector<std::uint32_t> open_;                     // places whose value before is enumerated
    std::vector<Effect> effects_;
};

}  // namespace fsplan
