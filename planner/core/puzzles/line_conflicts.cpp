#include "puzzles/line_conflicts.hpp"

namespace fsplan {

namespace {

std::uint8_t conflicts(const std::vector<unsigned>& goals) {
    std::vector<unsigned> longest(goals.size(), 1);  // length of the longest increasing subsequence that ends here
    for (std::size_t last = 0; last < goals.size(); ++last)
        for (std::size_t before = 0; before < last; ++before)
            if (goals[before] < goals[last]) longest[last] = std::max(longest[last], longest[before] + 1);
    const unsigned kept = goals.empty() ? 0 : *std::ranges::max_element(longest);
    return static_cast<std::uint8_t>(2 * (goals.size() - kept));
}

std::vector<std::uint8_t> compute_table(unsigned length) {
    std::vector<std::uint8_t> table;
    unsigned size = 1;
    for (unsigned place = 0; place < length; ++place) size *= length + 1;
    for (unsigned number = 0; number < size; ++number) {
        std::vector<unsigned> goals;
        for (unsigned rest = number, place = 0; place < length; ++place, rest /= length + 1)
            if (rest % (length + 1) < length) goals.push_back(rest % (length + 1));
        table.push_back(conflicts(goals));
    }
    return table;
}

}  // namespace

const std::uint8_t* conflict_table(unsigned length) {
    static const std::array tables{compute_table(2), compute_table(3), compute_table(4), compute_table(5)};
    return tables[length - 2].data();
}

}  // namespace fsplan
