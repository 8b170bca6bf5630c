#include "puzzles/board.hpp"
#include "puzzles/sources.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

namespace {

// Calls use with the heuristic of this name.
template <class Word, class Use>
auto with_heuristic(const PancakeGraph<Word>& graph, const std::string& name, const Use& use) {
    const auto call = [&](auto heuristic) { return use(heuristic); };
    if (name == "gap") return call(Gap<Word>(static_cast<unsigned>(graph.width())));
    if (name == "blind") return call(Blind());
    throw std::invalid_argument("pancakes have no heuristic " + name);
}

std::vector<std::int32_t> sizes_from_zero(const std::vector<int>& stack) {
    if (stack.size() < 2 || stack.size() > kMaxPackedCells)
        throw std::invalid_argument("there can be 2 to 25 pancakes, not " + std::to_string(stack.size()));
    check_permutation(stack, static_cast<unsigned>(stack.size()), 1, "pancake");
    std::vector<std::int32_t> sizes;
    for (const int size : stack) sizes.push_back(size - 1);
    return sizes;
}

std::variant<PancakeGraph<Word64>, PancakeGraph<Word128>> graph_of(const std::vector<std::int32_t>& sizes) {
    const auto count = static_cast<unsigned>(sizes.size());
    if (count > kMaxCells<Word64>) return PancakeGraph<Word128>(count, pack<Word128>(sizes));
    return PancakeGraph<Word64>(count, pack<Word64>(sizes));
}

}  // namespace

PancakeSource::PancakeSource(const std::vector<int>& stack) : start_(sizes_from_zero(stack)), graph_(graph_of(start_)) {}

SearchResult PancakeSource::search(const SearchRequest& request) {
    return std::visit(
        [&](auto& graph) {
            return with_heuristic(graph, request.heuristic,
                                  [&](auto& heuristic) { return run_search(graph, heuristic, request); });
        },
        graph_);
}

ExploredGraph PancakeSource::explore(const std::string& heuristic, std::size_t max_states) {
    return std::visit(
        [&](auto& graph) {
            if (heuristic.empty()) return fsplan::explore(graph, static_cast<Blind*>(nullptr), max_states);
            return with_heuristic(graph, heuristic,
                                  [&](auto& evaluator) { return fsplan::explore(graph, &evaluator, max_states); });
        },
        graph_);
}

std::vector<std::int32_t> PancakeSource::domain_sizes() const {
    return std::vector<std::int32_t>(start_.size(), static_cast<std::int32_t>(start_.size()));
}

std::string PancakeSource::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (const std::int32_t size : values) {
        if (!name.empty()) name += ' ';
        name += std::to_string(size + 1);
    }
    return name;
}

std::size_t PancakeSource::bytes_per_state() const {
    return std::visit([](const auto& graph) { return sizeof(graph.start()); }, graph_);
}

}  // namespace fsplan
