// The full state consists of the stored words and the words of derived variables. Preconditions, conditions and goals
// are masked comparisons of words, whether or not they contain derived variables.
#pragma once

#include "task/packing.hpp"

namespace fsplan {

// state[word] & mask == value
struct WordTest {
    std::uint32_t word;
    Word mask;
    Word value;
};

inline bool holds(std::span<const WordTest> tests, const Word* state) {
    for (const auto& test : tests) {
        if ((state[test.word] & test.mask) != test.value) return false;
    }
    return true;
}

struct Layout {
    std::vector<PackedField> field;          // per variable, derived ones included
    std::vector<std::uint32_t> variable_of;  // per fact
    std::size_t stored_words;                // number of stored words, which come first
    std::size_t words;

    explicit Layout(const GroundTask& task);

    // Tests of a conjunction of facts of different variables, one test per word.
    std::vector<WordTest> tests(const GroundTask& task, std::span<const FactId> facts) const;
};

}  // namespace fsplan
