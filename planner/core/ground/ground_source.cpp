#include "ground/ground_source.hpp"

#include <stdexcept>

#include "search/dispatch.hpp"

namespace fsplan {

SearchResult GroundSource::search(const SearchRequest& request) {
    auto heuristic = make_ground_heuristic(request.heuristic, task_, graph_.layout());
    return run_search(graph_, *heuristic, request);
}

ExploredGraph GroundSource::explore(const std::string& heuristic, std::size_t max_states) {
    std::unique_ptr<GroundHeuristic> evaluator;
    if (!heuristic.empty()) evaluator = make_ground_heuristic(heuristic, task_, graph_.layout());
    return fsplan::explore(graph_, evaluator.get(), max_states);
}

std::vector<std::int32_t> GroundSource::start_values() {
    std::vector<std::int32_t> values(width());
    graph_.values(graph_.start(), values);
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

GroundSource::Evaluated GroundSource::evaluate(const std::string& heuristic, std::span<const std::int32_t> values) {
    if (values.size() != width()) throw std::invalid_argument("one value per variable is needed");
    std::vector<Word> words(graph_.layout().words);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] < 0 || values[v] >= task_.domain_size[v]) throw std::invalid_argument("no such value");
        if (task_.layer[v] < 0) graph_.layout().field[v].set(words.data(), static_cast<Word>(values[v]));
    }
    auto& evaluator = evaluators_[heuristic];
    if (!evaluator) {
        evaluator = make_ground_heuristic(heuristic, task_, graph_.layout());
        evaluator->want_guide(true);
    }
    auto value = evaluator->evaluate(words.data());
    auto helpful = evaluator->helpful();
    return {value, {helpful.begin(), helpful.end()}};
}

}  // namespace fsplan
