#include "puzzles/board.hpp"
#include "puzzles/puzzle.hpp"

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

static PancakeHeuristics heuristics_of(const PancakeStateSpace&) { return {}; }

template class PuzzleStateSpace<PancakeStateSpace, PancakeGraph>;

PancakeStateSpace::PancakeStateSpace(const std::vector<int>& stack)
    : PuzzleStateSpace(sizes_from_zero(stack), graph_of(sizes_from_zero(stack))) {}

void PancakeStateSpace::check(std::span<const std::int32_t> values) const {
    check_permutation({values.begin(), values.end()}, static_cast<unsigned>(width()), 0, "size");
}

std::unique_ptr<StateSpace> PancakeStateSpace::at(std::span<const std::int32_t> values) {
    check(values);
    std::vector<int> stack;
    for (const std::int32_t size : values) stack.push_back(size + 1);
    return std::make_unique<PancakeStateSpace>(stack);
}

std::string PancakeStateSpace::identity() const { return "pancakes " + std::to_string(width()); }

std::string PancakeStateSpace::state_name(std::span<const std::int32_t> values) const {
    std::string name;
    for (const std::int32_t size : values) {
        if (!name.empty()) name += ' ';
        name += std::to_string(size + 1);
    }
    return name;
}

HeuristicInfos PancakeStateSpace::all_heuristics() { return Declared<Word64>::infos(); }

}  // namespace fsplan
