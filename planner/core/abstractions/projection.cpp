#include "abstractions/projection.hpp"

namespace fsplan {

ProjectionBuilder::ProjectionBuilder(const GroundTask& task, Budget& watch)
    : task_(task), watch_(watch), variable_(variables_of_facts(task)), setters_(task.variable_count()),
      place_(task.variable_count(), kOutside), required_(task.variable_count(), kNoFact) {
    for (ActionId action = 0; action < task.action_count(); ++action) {
        for (auto e = task.first_effect[action]; e < task.first_effect[action + 1]; ++e) {
            auto& setters = setters_[variable_[task.effect[e]]];
            if (setters.empty() || setters.back() != action) setters.push_back(action);
        }
    }
}

std::optional<Abstraction> ProjectionBuilder::build(const VariablePattern& pattern, std::size_t most_states,
                                                    std::size_t most_work) {
    bool fits = begin(pattern, most_states, most_work);
    if (fits) each_free(goal_states(), [&](std::uint32_t state) { projection_.goals_.push_back(state); });
    return end(fits && link_all(most_work));
}

std::optional<Abstraction> ProjectionBuilder::build_reachable(const VariablePattern& pattern,
                                                              std::span<const std::int32_t> start,
                                                              std::size_t most_states, std::size_t most_work) {
    constexpr std::size_t numbers = std::size_t{1} << 30;
    return end(begin(pattern, numbers, most_work) && link_reachable(start, most_states, most_work));
}

// Computes the moves of all actions and groups them.
bool ProjectionBuilder::begin(const VariablePattern& pattern, std::size_t most_states, std::size_t most_work) {
    projection_ = Abstraction();
    projection_.pattern_ = pattern;
    moves_.clear();
    most_moves_ = most_work;
    std::size_t size = 1;
    for (auto variable : pattern) {
        projection_.stride_.push_back(static_cast<std::uint32_t>(size));
        size *= static_cast<std::size_t>(task_.domain_size[variable]);
        if (size > most_states) return false;
    }
    projection_.size_ = size;
    for (std::uint32_t i = 0; i < pattern.size(); ++i) place_[pattern[i]] = i;
    auto& actions = projection_.actions_;
    for (auto variable : pattern) actions.insert(actions.end(), setters_[variable].begin(), setters_[variable].end());
    sort_unique(actions);
    projection_.may_stay_.assign(actions.size(), 0);
    if (actions.size() > most_work) return false;
    if (!std::ranges::all_of(actions, [&](auto action) { return add_action(action); })) return false;
    group_moves();
    return true;
}

std::optional<Abstraction> ProjectionBuilder::end(bool fits) {
    for (auto variable : projection_.pattern_) place_[variable] = kOutside;
    if (!fits) return std::nullopt;
    return std::move(projection_);
}

void ProjectionBuilder::open_variable(std::uint32_t place) {
    if (before_[place] != kAny || std::ranges::find(open_, place) != open_.end()) return;
    open_.push_back(place);
}

bool ProjectionBuilder::add_action(ActionId action) {
    before_.assign(projection_.pattern_.size(), kAny);
    open_.clear();
    for (auto fact : task_.precondition[action]) {
        required_[variable_[fact]] = fact;
        if (place(fact) != kOutside) before_[place(fact)] = value(fact);
    }
    for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
        if (place(task_.effect[e]) == kOutside) continue;
        open_variable(place(task_.effect[e]));
        for (auto fact : task_.effect_condition[e]) {
            if (place(fact) != kOutside) open_variable(place(fact));
        }
    }
    const bool fits = add_moves(action, 0);
    for (auto fact : task_.precondition[action]) required_[variable_[fact]] = kNoFact;
    return fits;
}

bool ProjectionBuilder::add_moves(ActionId action, std::size_t next_open) {
    watch_.tick();
    if (next_open == open_.size()) return moves_.size() <= most_moves_ && add_outcomes(action);
    const auto place = open_[next_open];
    const auto values = task_.domain_size[projection_.pattern_[place]];
    bool fits = true;
    for (before_[place] = 0; fits && before_[place] < values; ++before_[place]) fits = add_moves(action, next_open + 1);
    before_[place] = kAny;
    return fits;
}

// Adds the moves of an action from the values before_: some effects are certain to happen, some cannot happen, and for
// the others both outcomes are added.
bool ProjectionBuilder::add_outcomes(ActionId action) {
    effects_.clear();
    std::size_t uncertain = 0;
    for (std::size_t e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e) {
        if (place(task_.effect[e]) == kOutside) continue;
        bool possible = true, certain = true;
        for (auto fact : task_.effect_condition[e]) {
            const auto required = required_[variable_[fact]];
            if (place(fact) != kOutside) possible = possible && before_[place(fact)] == value(fact);
            else if (required == kNoFact) certain = false;
            else possible = possible && required == fact;
        }
        if (possible) effects_.push_back({e, certain});
        uncertain += possible && !certain;
    }
    if (uncertain > kMostUncertain) return false;
    auto& may_stay = projection_.may_stay_;
    const auto& actions = projection_.actions_;
    const auto position = static_cast<std::uint32_t>(std::ranges::lower_bound(actions, action) - actions.begin());
    for (std::uint32_t chosen = 0; chosen < 1U << uncertain; ++chosen) {
        auto after = before_;
        std::size_t number = 0;
        for (auto [effect, certain] : effects_) {
            if (certain || (chosen >> number++ & 1U)) after[place(task_.effect[effect])] = value(task_.effect[effect]);
        }
        if (after == before_) {
            may_stay[position] = 1;
            continue;
        }
        Move move{0, 0, 0, position};
        for (std::size_t i = 0; i < after.size(); ++i) {
            const auto stride = static_cast<std::int32_t>(projection_.stride_[i]);
            if (before_[i] == kAny) move.free |= 1U << i;
            else move.base += static_cast<std::uint32_t>(before_[i] * stride);
            move.delta += (after[i] - before_[i]) * stride;
        }
        moves_.push_back(move);
    }
    return true;
}

template <class Visit>
void ProjectionBuilder::each_free(const Move& move, Visit visit) const {
    auto from = [&](auto& self, std::size_t place, std::uint32_t state) -> void {
        while (place < projection_.pattern_.size() && !(move.free >> place & 1U)) ++place;
        if (place == projection_.pattern_.size()) return visit(state);
        watch_.tick();
        const auto values = task_.domain_size[projection_.pattern_[place]];
        for (std::int32_t value = 0; value < values; ++value)
            self(self, place + 1, state + static_cast<std::uint32_t>(value) * projection_.stride_[place]);
    };
    from(from, 0, move.base);
}

ProjectionBuilder::Move ProjectionBuilder::goal_states() const {
    Move goal{0, 0, (1U << projection_.pattern_.size()) - 1, 0};
    for (auto fact : task_.goal) {
        if (place(fact) == kOutside) continue;
        goal.free &= ~(1U << place(fact));
        goal.base += static_cast<std::uint32_t>(value(fact)) * projection_.stride_[place(fact)];
    }
    return goal;
}

void ProjectionBuilder::group_moves() {
    sort_unique(moves_);
    auto alike = [](const Move& a, const Move& b) {
        return a.base == b.base && a.delta == b.delta && a.free == b.free;
    };
    groups_.clear();
    auto& members = projection_.members_;
    for (const auto& move : moves_) {
        if (groups_.empty() || !alike(groups_.back(), move)) {
            if (!groups_.empty()) members.end_row();
            groups_.push_back(move);
        }
        members.items.push_back(move.action);
    }
    if (!groups_.empty()) members.end_row();
    projection_.work_ = projection_.actions_.size() + moves_.size();
}

bool ProjectionBuilder::link_all(std::size_t most_work) {
    std::vector<std::uint32_t> begin(projection_.size_ + 2);
    std::size_t count = 0;
    projection_.work_ += projection_.size_;
    for (const auto& group : groups_) {
        each_free(group, [&](std::uint32_t state) {
            ++begin[static_cast<std::uint32_t>(static_cast<std::int32_t>(state) + group.delta) + 2];
            ++count;
        });
        if (projection_.work_ + count > most_work) return false;
    }
    projection_.work_ += count;
    for (std::size_t state = 2; state < begin.size(); ++state) begin[state] += begin[state - 1];
    projection_.predecessors_.resize(count);
    for (std::uint32_t number = 0; number < groups_.size(); ++number) {
        each_free(groups_[number], [&](std::uint32_t state) {
            const auto to = static_cast<std::uint32_t>(static_cast<std::int32_t>(state) + groups_[number].delta);
            projection_.predecessors_[begin[to + 1]++] = {state, number};
        });
    }
    begin.pop_back();
    projection_.predecessors_begin_ = std::move(begin);
    return true;
}

std::vector<std::int32_t> ProjectionBuilder::values_of(std::uint32_t state) const {
    std::vector<std::int32_t> values;
    for (auto variable : projection_.pattern_) {
        const auto size = static_cast<std::uint32_t>(task_.domain_size[variable]);
        values.push_back(static_cast<std::int32_t>(state % size));
        state /= size;
    }
    return values;
}

std::vector<ProjectionBuilder::Requirement> ProjectionBuilder::requirements(const Move& states) const {
    std::vector<Requirement> found;
    const auto values = values_of(states.base);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(states.free >> i & 1U)) found.push_back({i, values[i]});
    }
    return found;
}

// Explores the abstract states breadth first. A group is tested only in states that have its first required value.
bool ProjectionBuilder::link_reachable(std::span<const std::int32_t> start, std::size_t most_states,
                                       std::size_t most_work) {
    std::vector<std::vector<Requirement>> required;                       // per group
    std::vector<std::vector<std::vector<std::uint32_t>>> by_first_value;  // pattern index -> value -> groups
    for (auto variable : projection_.pattern_) by_first_value.emplace_back(task_.domain_size[variable]);
    for (std::uint32_t number = 0; number < groups_.size(); ++number) {
        const auto [place, value] =
            required.emplace_back(requirements(groups_[number])).front();  // every group has a requirement
        by_first_value[place][static_cast<std::size_t>(value)].push_back(number);
    }
    struct Step {
        std::uint32_t from, to, group;
    };
    std::vector<Step> steps;
    std::vector<std::uint32_t> states{static_cast<std::uint32_t>(projection_.index(start))};
    auto& place_of = projection_.reachable_;
    place_of.emplace(states[0], 0);
    const auto goal = requirements(goal_states());
    for (std::uint32_t from = 0; from < states.size(); ++from) {
        watch_.tick();
        const auto values = values_of(states[from]);
        auto has = [&](const Requirement& each) { return values[each.place] == each.value; };
        if (std::ranges::all_of(goal, has)) projection_.goals_.push_back(from);
        for (std::size_t i = 0; i < values.size(); ++i) {
            for (auto number : by_first_value[i][static_cast<std::size_t>(values[i])]) {
                ++projection_.work_;
                if (!std::ranges::all_of(required[number], has)) continue;
                const auto to =
                    static_cast<std::uint32_t>(static_cast<std::int32_t>(states[from]) + groups_[number].delta);
                const auto [found, is_new] = place_of.emplace(to, states.size());
                if (is_new) states.push_back(to);
                steps.push_back({from, found->second, number});
            }
        }
        if (states.size() > most_states || projection_.work_ > most_work) return false;
    }
    projection_.size_ = states.size();
    std::vector<std::uint32_t> begin(states.size() + 2);
    for (const auto& step : steps) ++begin[step.to + 2];
    for (std::size_t state = 2; state < begin.size(); ++state) begin[state] += begin[state - 1];
    projection_.predecessors_.resize(steps.size());
    for (const auto& step : steps) projection_.predecessors_[begin[step.to + 1]++] = {step.from, step.group};
    begin.pop_back();
    projection_.predecessors_begin_ = std::move(begin);
    return true;
}

}  // namespace fsplan
