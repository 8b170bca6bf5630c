#include "spaces/lifted_state_space.hpp"

#include "search/dispatch.hpp"

namespace fsplan {

namespace {

constexpr HeuristicInfo kNoEstimate{.name = "blind",
                                    .summary = "0, because nothing else is known of a task that was not grounded",
                                    .properties = {.admissible = true},
                                    .consistent = true};

class NoEstimate {
public:
    HeuristicProperties properties() const { return kNoEstimate.properties; }
    Evaluation evaluate(const Word*) const { return {0, 0}; }
    Evaluation evaluate_child(const Word*, Cost, ActionId, const Word*) const { return {0, 0}; }
    std::span<const ActionId> helpful() const { return {}; }
    void want_guide(bool) {}
};

}  // namespace

// If all states were visited, run_search() returns `unsolvable`. Here this becomes `not_found`, because hashes decide
// which objects are interchangeable, and a hash collision could prune all plans.
SearchResult LiftedStateSpace::search(const SearchRequest& request) {
    if (request.search != nullptr && request.search->proves != std::string_view("nothing"))
        throw std::invalid_argument(
            "a task that was not grounded can only be followed: --search follow, with a policy");
    graph_.set_limits(Budget(request.time_limit, request.memory_limit, {}));
    if (!graph_.is_goal_reachable()) {
        SearchResult result;
        result.status = Status::unsolvable;
        result.lower_bound = kInfinite;
        return result;
    }
    NoEstimate heuristic;
    SearchResult result = run_search(graph_, heuristic, request);
    if (result.status != Status::unsolvable) return result;
    result.status = Status::not_found;
    result.lower_bound = request.known_bound;
    return result;
}

std::vector<Word> LiftedStateSpace::packed(std::span<const std::int32_t> values) const {
    if (values.size() != width()) throw std::invalid_argument("one value per variable is needed");
    std::vector<Word> words(graph_.layout().words);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] < 0 || values[v] > 1) throw std::invalid_argument("no such value");
        graph_.layout().field[v].set(words.data(), static_cast<Word>(values[v]));
    }
    return words;
}

std::vector<Successor> LiftedStateSpace::successors(std::span<const std::int32_t> values) {
    const std::vector<Word> state = packed(values);
    std::vector<Successor> found;
    graph_.set_limits({});
    graph_.successors(state.data(), [&](ActionId action, Cost cost, const Word* successor) {
        found.push_back({action, cost, std::vector<std::int32_t>(width())});
        graph_.values(successor, found.back().values);
    });
    return found;
}

std::string LiftedStateSpace::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] != 0) continue;
        if (!name.empty()) name += ", ";
        name += task().fact_name(task().first_fact[v]);
    }
    return name;
}

HeuristicInfos LiftedStateSpace::heuristics() const { return {&kNoEstimate}; }

}  // namespace fsplan
