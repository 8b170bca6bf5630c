// The projection of a ground task to some variables (its pattern).
//
// An abstract state is a number: Σ value · stride over the pattern. For a large pattern only the abstract states that
// are reachable from the initial state are stored; plans visit no others, so they suffice for bounds.
// Actions with the same preconditions and effects on the pattern form a group. Facts of variables outside the pattern,
// and derived facts, count as true in preconditions; an effect whose condition mentions such facts may happen
// or not, and both are transitions. So every transition of the task is one of the projection.
#pragma once

#include "abstractions/abstraction.hpp"
#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

// Builds projections of one task; the data that does not depend on the pattern is computed once.
class ProjectionBuilder {
public:
    ProjectionBuilder(const GroundTask& task, Budget& watch);

    // Empty if the projection exceeds one of the limits, or has effects with too many conditions outside the pattern.
    std::optional<Abstraction> build(const VariablePattern& pattern, std::size_t most_states, std::size_t most_work);
    // As build(), but only with the abstract states that are reachable from `start`, which has one value per variable.
    std::optional<Abstraction> build_reachable(const VariablePattern& pattern, std::span<const std::int32_t> start,
                                               std::size_t most_states, std::size_t most_work);

private:
    // The transitions of an action from abstract state base + f to base + f + delta, for all f = Σ value · stride over
    // the variables in `free`, whose values the action neither reads nor sets.
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
    std::optional<Abstraction> end(bool fits);
    bool add_action(ActionId action);
    void open_variable(std::uint32_t place);
    bool add_moves(ActionId action, std::size_t next_open);
    bool add_outcomes(ActionId action);
    Move goal_states() const;
    void group_moves();
    bool link_all(std::size_t most_work);
    bool link_reachable(std::span<const std::int32_t> start, std::size_t most_states, std::size_t most_work);
    std::vector<std::int32_t> values_of(std::uint32_t state) const;
    // A value that a state must have for the move to apply, by pattern index.
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
    Budget& watch_;
    std::vector<std::uint32_t> variable_;         // fact -> variable
    std::vector<std::vector<ActionId>> setters_;  // variable -> actions with an effect on it
    std::vector<std::uint32_t> place_;            // variable -> index in the pattern, or kOutside
    std::vector<FactId> required_;                // variable -> the action's precondition on it
    Abstraction projection_;
    std::vector<Move> moves_;
    std::vector<Move> groups_;
    std::size_t most_moves_ = 0;
    std::vector<std::int32_t> before_;  // pattern index -> value, or kAny
    std::vector<std::uint32_t> open_;   // pattern indices for which all values before the action are enumerated
    std::vector<Effect> effects_;
};

}  // namespace fsplan
