#include "task/ground_source.hpp"

#include <cstdio>
#include <stdexcept>

#include "containers/store.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

namespace {

// A fingerprint of lists of numbers, the same on every machine of one byte order; not meant to withstand forgery.
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

}  // namespace

SearchResult GroundSource::search(const SearchRequest& request) {
    WorkWatch watch;
    auto heuristic = make_heuristic(request.heuristic, watch);
    return run_search(graph(), *heuristic, request);
}

ExploredGraph GroundSource::explore(const std::string& heuristic, std::size_t max_states, WorkWatch& watch) {
    std::unique_ptr<GroundHeuristic> evaluator;
    if (!heuristic.empty()) evaluator = make_heuristic(heuristic, watch);
    return fsplan::explore(graph(), evaluator.get(), max_states, watch);
}

std::vector<std::int32_t> GroundSource::start_values() {
    std::vector<std::int32_t> values(width());
    graph().values(graph().start(), values);
    return values;
}

std::string GroundSource::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (std::size_t v = 0; v < values.size(); ++v) {
        auto fact = task_.first_fact[v] + static_cast<FactId>(values[v]);
        if (task_.fact_negated[fact] || task_.fact_atom[fact].empty()) continue;
        if (!name.empty()) name += ", ";
        name += task_.fact_name(fact);
    }
    return name;
}

std::vector<Word> GroundSource::packed(std::span<const std::int32_t> values) {
    if (values.size() != width()) throw std::invalid_argument("one value per variable is needed");
    std::vector<Word> words(graph().layout().words);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] < 0 || values[v] >= task_.domain_size[v]) throw std::invalid_argument("no such value");
        if (task_.layer[v] < 0) graph().layout().field[v].set(words.data(), static_cast<Word>(values[v]));
    }
    return words;
}

std::vector<Successor> GroundSource::successors(std::span<const std::int32_t> values) {
    const std::vector<Word> state = packed(values);
    std::vector<Successor> found;
    graph().successors(state.data(), [&](ActionId action, Cost cost, const Word* successor) {
        found.push_back({action, cost, std::vector<std::int32_t>(width())});
        graph().values(successor, found.back().values);
    });
    return found;
}

std::unique_ptr<Source> GroundSource::at(std::span<const std::int32_t> values) {
    auto elsewhere = std::make_unique<GroundSource>(task_);
    elsewhere->graph().set_start(packed(values).data());
    return elsewhere;
}

std::string GroundSource::identity() const {
    Digest digest;
    digest.add(task_.domain_size).add(task_.layer).add(task_.precondition).add(task_.first_effect).add(task_.effect);
    digest.add(task_.effect_condition).add(task_.cost).add(task_.rule_body).add(task_.rule_head).add(task_.goal);
    digest.add(task_.fact_negated).add(task_.fact_atom).add(task_.action_atom);
    for (const std::string& symbol : task_.symbols) digest.add_bytes(symbol.data(), symbol.size());
    return digest.text();
}

GroundSource::Evaluated GroundSource::evaluate(const std::string& heuristic, std::span<const std::int32_t> values) {
    const std::vector<Word> words = packed(values);
    auto& evaluator = evaluators_[heuristic];
    if (!evaluator) {
        WorkWatch watch;
        evaluator = make_heuristic(heuristic, watch);
        evaluator->want_guide(true);
    }
    auto value = evaluator->evaluate(words.data());
    auto helpful = evaluator->helpful();
    return {value, {helpful.begin(), helpful.end()}};
}

}  // namespace fsplan
