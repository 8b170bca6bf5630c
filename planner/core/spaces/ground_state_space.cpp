#include "spaces/ground_state_space.hpp"

#include <chrono>
#include <cstdio>

#include "containers/store.hpp"
#include "heuristics/function_heuristic.hpp"
#include "search/dispatch.hpp"
#include "task/symmetric_graph.hpp"

namespace fsplan {

namespace {

// A non-cryptographic hash of lists of numbers, which is the same on all machines of one byte order.
class Digest {
public:
    template <class Number>
    Digest& add(const std::vector<Number>& numbers) {
        return add_bytes(numbers.data(), numbers.size() * sizeof(Number));
    }
    Digest& add(const Rows& rows) { return add(rows.begin).add(rows.items); }
    Digest& add_bytes(const void* bytes, std::size_t count) {
        const std::uint64_t part = hash_words(bytes, count);
        low_ = mix(low_ ^ part) + count;
        high_ = mix(high_ + part * 0x9E3779B97F4A7C15ULL);
        return *this;
    }
    std::string text() const {
        char digits[33];
        std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(high_),
                      static_cast<unsigned long long>(low_));
        return digits;
    }

private:
    std::uint64_t low_ = 1, high_ = 2;
};

// Calls the progress callback of a search about ten times a second while the search is being prepared.
class PreparationProgress {
public:
    explicit PreparationProgress(const SearchRequest& request) : request_(request) {}

    // Calls the callback if it is due; returns whether it interrupts the search.
    bool interrupts() {
        const double now = std::chrono::duration<double>(Clock::now() - started_).count();
        if (!request_.on_progress || now - reported_ < 0.1) return false;
        reported_ = now;
        return !request_.on_progress({0, now, 0, 0, kInfinite, resident_bytes()});
    }

private:
    using Clock = std::chrono::steady_clock;

    const SearchRequest& request_;
    Clock::time_point started_ = Clock::now();
    double reported_ = 0;
};

// A search in slices that owns its heuristic and its request, and its graph unless G is a reference.
template <class G>
class OwningSearch final : public SearchInProgress {
public:
    OwningSearch(G&& graph, std::unique_ptr<GroundHeuristic> heuristic, SearchRequest request)
        : graph_(std::forward<G>(graph)), heuristic_(std::move(heuristic)), request_(std::move(request)),
          search_(graph_, *heuristic_, request_) {}

    bool run_for(std::uint64_t work) override { return search_.run_for(work); }
    std::uint64_t work() const override { return search_.work(); }
    SearchResult finish() override { return search_.finish(); }

private:
    G graph_;
    std::unique_ptr<GroundHeuristic> heuristic_;
    SearchRequest request_;
    StartedSearch<std::remove_reference_t<G>, GroundHeuristic> search_;
};

// Replaces a search if a limit was reached during its preparation. Its result is the request's known plan and bound.
class UnpreparedSearch final : public SearchInProgress {
public:
    UnpreparedSearch(const SearchRequest& request, Status status) {
        result_.status = status;
        result_.lower_bound = request.known_bound;
        if (!request.known_plan) return;
        result_.plan = request.known_plan->plan;
        result_.cost = request.known_plan->cost;
    }

    bool run_for(std::uint64_t) override { return false; }
    std::uint64_t work() const override { return 0; }
    SearchResult finish() override { return result_; }

private:
    SearchResult result_;
};

// Base class that owns the task of a WindowStateSpace, because the task must be constructed before GroundStateSpace.
struct OwnedTask {
    GroundTask task;
};
class WindowStateSpace final : private OwnedTask, public GroundStateSpace {
public:
    explicit WindowStateSpace(GroundTask task) : OwnedTask{std::move(task)}, GroundStateSpace(OwnedTask::task) {}
};

}  // namespace

// Making the graph and the heuristic counts towards the limits of the search.
SearchResult GroundStateSpace::search(const SearchRequest& request) { return run_to_end(*start(request)); }

std::unique_ptr<GroundHeuristic> GroundStateSpace::make_heuristic(const SearchRequest& request, Budget& watch) {
    if (!request.custom_heuristic) return make_heuristic(request.heuristic, watch);
    const HeuristicInput input{task_, graph(watch).layout(), watch};
    return std::make_unique<FunctionHeuristic>(input, graph(), *request.custom_heuristic);
}

std::unique_ptr<SearchInProgress> GroundStateSpace::start(SearchRequest request) {
    PreparationProgress progress(request);
    Budget watch(request.time_limit, request.memory_limit, [&] { return progress.interrupts(); });
    try {
        auto heuristic = make_heuristic(request, watch);
        SearchRequest rest = request;
        if (rest.time_limit > 0) rest.time_limit = std::max(watch.seconds_left(), 1e-9);  // 0 would mean no limit
        Symmetries symmetries = request.symmetry ? Symmetries(task_, graph().layout(), watch) : Symmetries();
        if (symmetries.swaps().empty())
            return std::make_unique<OwningSearch<GroundGraph&>>(graph(), std::move(heuristic), std::move(rest));
        SymmetricGraph merged(graph(), std::move(symmetries));
        return std::make_unique<OwningSearch<SymmetricGraph>>(std::move(merged), std::move(heuristic), std::move(rest));
    } catch (const LimitReached& limit) { return std::make_unique<UnpreparedSearch>(request, status_of(limit.limit)); }
}

ExploredGraph GroundStateSpace::explore(const std::string& heuristic, std::size_t max_states, Budget& watch) {
    std::unique_ptr<GroundHeuristic> evaluator;
    if (!heuristic.empty()) evaluator = make_heuristic(heuristic, watch);
    return fsplan::explore(graph(), evaluator.get(), max_states, watch);
}

ExploredGraph GroundStateSpace::explore_up_to_symmetry(std::size_t max_states, Budget& watch) {
    const auto symmetric = std::make_shared<SymmetricGraph>(graph(watch), Symmetries(task_, graph().layout(), watch));
    ExploredGraph explored = fsplan::explore(*symmetric, static_cast<GroundHeuristic*>(nullptr), max_states, watch);
    explored.values = [symmetric, values = std::move(explored.values)](StateId id, std::span<std::int32_t> out) {
        values(id, out);
    };
    return explored;
}

std::vector<std::vector<std::string>> GroundStateSpace::swaps(Budget& watch) {
    const Symmetries symmetries(task_, Layout(task_), watch);
    std::vector<std::vector<std::string>> names;
    for (const auto& swap : symmetries.swaps()) names.push_back(swap.names(task_));
    return names;
}

std::vector<std::int32_t> GroundStateSpace::start_values(Budget& watch) {
    std::vector<std::int32_t> values(width());
    graph(watch).values(graph().start(), values);
    return values;
}

std::string GroundStateSpace::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (std::size_t v = 0; v < values.size(); ++v) {
        auto fact = task_.first_fact[v] + static_cast<FactId>(values[v]);
        if (!task_.is_named_atom(fact)) continue;
        if (!name.empty()) name += ", ";
        name += task_.fact_name(fact);
    }
    return name;
}

std::vector<Word> GroundStateSpace::packed(std::span<const std::int32_t> values) {
    if (values.size() != width()) throw std::invalid_argument("one value per variable is needed");
    std::vector<Word> words(graph().layout().words);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] < 0 || values[v] >= task_.domain_size[v]) throw std::invalid_argument("no such value");
        if (task_.layer[v] < 0) graph().layout().field[v].set(words.data(), static_cast<Word>(values[v]));
    }
    return words;
}

std::vector<Successor> GroundStateSpace::successors(std::span<const std::int32_t> values) {
    const std::vector<Word> state = packed(values);
    std::vector<Successor> found;
    graph().successors(state.data(), [&](ActionId action, Cost cost, const Word* successor) {
        found.push_back({action, cost, std::vector<std::int32_t>(width())});
        graph().values(successor, found.back().values);
    });
    return found;
}

std::unique_ptr<StateSpace> GroundStateSpace::at(std::span<const std::int32_t> values) {
    auto elsewhere = std::make_unique<GroundStateSpace>(task_);
    elsewhere->graph().set_start(packed(values).data());
    return elsewhere;
}

std::unique_ptr<StateSpace> GroundStateSpace::window(const ActionSequence& plan, std::size_t first, std::size_t last) {
    if (first > last || last > plan.size()) throw std::invalid_argument("a window lies within the plan");
    const auto states = structure().states_along(plan);
    GroundTask between = task_;
    std::vector<std::int32_t> values(width());
    graph().values(states[first].data(), values);
    for (std::size_t v = 0; v < values.size(); ++v)
        if (task_.layer[v] < 0) between.initial[v] = values[v];
    between.goal = structure().needed_after(plan, last, states[last].data());
    return std::make_unique<WindowStateSpace>(std::move(between));
}

StateSpace::Estimator GroundStateSpace::estimator(const std::string& name) {
    Budget watch;
    std::shared_ptr<GroundHeuristic> heuristic = make_heuristic(name, watch);
    heuristic->want_guide(false);
    return [this, heuristic](std::span<const std::int32_t> values) {
        return heuristic->evaluate(packed(values).data()).h;
    };
}

std::string GroundStateSpace::identity() const {
    Digest digest;
    digest.add(task_.domain_size).add(task_.layer).add(task_.precondition).add(task_.first_effect).add(task_.effect);
    digest.add(task_.effect_condition).add(task_.cost).add(task_.rule_body).add(task_.rule_head).add(task_.goal);
    digest.add(task_.fact_negated).add(task_.fact_atom).add(task_.action_atom);
    for (const std::string& symbol : task_.symbols) digest.add_bytes(symbol.data(), symbol.size());
    return digest.text();
}

Evaluated GroundStateSpace::evaluate(const std::string& heuristic, std::span<const std::int32_t> values) {
    const std::vector<Word> words = packed(values);
    auto& evaluator = evaluators_[heuristic];
    if (!evaluator) {
        Budget watch;
        evaluator = make_heuristic(heuristic, watch);
        evaluator->want_guide(true);
    }
    auto value = evaluator->evaluate(words.data());
    auto helpful = evaluator->helpful();
    return {value, {helpful.begin(), helpful.end()}};
}

}  // namespace fsplan
