#include "puzzles/pancake.hpp"
#include "puzzles/sources.hpp"
#include "search/dispatch.hpp"

namespace fsplan {

namespace {

template <class Word>
SearchResult search_stack(const std::vector<std::uint8_t>& stack, const SearchRequest& request) {
    const auto count = static_cast<unsigned>(stack.size());
    PancakeGraph<Word> graph(count, pack<Word>(stack));
    const auto run = [&](auto heuristic) { return run_search(graph, heuristic, request); };
    if (request.heuristic == "gap") return run(Gap<Word>(count));
    if (request.heuristic == "blind") return run(Blind());
    throw std::invalid_argument("heuristic " + request.heuristic + " is not one of the pancakes'");
}

}  // namespace

PancakeSource::PancakeSource(const std::vector<int>& stack) {
    if (stack.size() < 2 || stack.size() > kMaxPackedCells)
        throw std::invalid_argument("there can be 2 to 25 pancakes, not " + std::to_string(stack.size()));
    check_permutation(stack, static_cast<unsigned>(stack.size()), 1, "pancake");
    for (const int size : stack) stack_.push_back(static_cast<std::uint8_t>(size - 1));
}

SearchResult PancakeSource::search(const SearchRequest& request) {
    return stack_.size() > kMaxCells<Word64> ? search_stack<Word128>(stack_, request)
                                             : search_stack<Word64>(stack_, request);
}

std::vector<std::int32_t> PancakeSource::domain_sizes() const {
    return std::vector<std::int32_t>(stack_.size(), static_cast<std::int32_t>(stack_.size()));
}

std::size_t PancakeSource::bytes_per_state() const {
    return stack_.size() > kMaxCells<Word64> ? sizeof(Word128) : sizeof(Word64);
}

}  // namespace fsplan
