#include "puzzles/board.hpp"
#include "puzzles/puzzle.hpp"
#include "puzzles/state_spaces.hpp"

namespace fsplan {

namespace {

template <class Word>
using Declared = HeuristicList<Gap<Word>, Blind>;

struct PancakeHeuristics {
    template <class Word>
    auto operator()(const PancakeGraph<Word>& graph, const std::string& name) const {
        return Declared<Word>::template make<OneOf<Gap<Word>, Blind>>(name, static_cast<unsigned>(graph.width()));
    }
};

std::vector<std::int32_t> sizes_from_zero(const std::vector<int>& stack) {
    if (stack.size() < 2 || stack.size() > kMaxPackedCells)
        throw std::invalid_argument("there can be 2 to 25 pancakes, not " + std::to_string(stack.size()));
    check_permutation(stack, static_cast<unsigned>(stack.size()), 1, "pancake");
    std::vector<std::int32_t> sizes;
    for (const int size : stack) sizes.push_back(size - 1);
    return sizes;
}

PancakeStateSpace::Graphs graph_of(const std::vector<std::int32_t>& sizes) {
    const auto count = static_cast<unsigned>(sizes.size());
    if (count > kMaxCells<Word64>) return PancakeGraph<Word128>(count, pack<Word128>(sizes));
    return PancakeGraph<Word64>(count, pack<Word64>(sizes));
}

}  // namespace

PancakeStateSpace::PancakeStateSpace(const std::vector<int>& stack)
    : start_(sizes_from_zero(stack)), graph_(graph_of(start_)) {}

SearchResult PancakeStateSpace::search(const SearchRequest& request) {
    return search_puzzle(graph_, PancakeHeuristics(), request);
}

ExploredGraph PancakeStateSpace::explore(const std::string& heuristic, std::size_t max_states, WorkWatch& watch) {
    return explore_puzzle(graph_, PancakeHeuristics(), heuristic, max_states, watch);
}

std::vector<std::int32_t> PancakeStateSpace::domain_sizes() const {
    return std::vector<std::int32_t>(start_.size(), static_cast<std::int32_t>(start_.size()));
}

void PancakeStateSpace::check(std::span<const std::int32_t> values) const {
    check_permutation({values.begin(), values.end()}, static_cast<unsigned>(start_.size()), 0, "size");
}

std::vector<Successor> PancakeStateSpace::successors(std::span<const std::int32_t> values) {
    check(values);
    return puzzle_successors(graph_, values);
}

bool PancakeStateSpace::is_goal(std::span<const std::int32_t> values) {
    check(values);
    return is_puzzle_goal(graph_, values);
}

Evaluated PancakeStateSpace::evaluate(const std::string& heuristic, std::span<const std::int32_t> values) {
    check(values);
    return evaluate_puzzle(graph_, PancakeHeuristics(), heuristic, values);
}

std::unique_ptr<StateSpace> PancakeStateSpace::at(std::span<const std::int32_t> values) {
    check(values);
    std::vector<int> stack;
    for (const std::int32_t size : values) stack.push_back(size + 1);
    return std::make_unique<PancakeStateSpace>(stack);
}

StateSpace::Estimator PancakeStateSpace::estimator(const std::string& heuristic) {
    return puzzle_estimator(graph_, PancakeHeuristics(), heuristic);
}

std::string PancakeStateSpace::identity() const { return "pancakes " + std::to_string(start_.size()); }

std::string PancakeStateSpace::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (const std::int32_t size : values) {
        if (!name.empty()) name += ' ';
        name += std::to_string(size + 1);
    }
    return name;
}

HeuristicInfos PancakeStateSpace::all_heuristics() { return Declared<Word64>::infos(); }

std::size_t PancakeStateSpace::bytes_per_state() const { return puzzle_state_bytes(graph_); }

}  // namespace fsplan
