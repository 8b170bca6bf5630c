// Numbers of fluent atoms per label (predicate and status), and comparisons of these numbers.
//
// Comparisons are what a policy needs to count: "more nuts to tighten than spanners carried" is the same feature with 3
// and with 300 nuts. Two labels are compared if both can occur in the task and at least one occurs in the state. From
// one state to the next only the pairs of labels whose numbers have changed are compared again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policies/relational/collected.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

enum class Comparison : std::uint8_t { absent, fewer, as_many, more };  // absent: neither label occurs in the state
inline constexpr std::size_t kComparisons = 4;

class LabelCounts {
public:
    explicit LabelCounts(const Structure& structure);

    // Labels are numbered as by Structure::label_number.
    void add(std::uint32_t label, int change);
    // Must be called after the last change of a state, before anything below is read.
    void compare();

    // Calls list(label) for each label that occurs.
    template <class List>
    void list_labels(List list) const {
        for (std::size_t number = 0; number < counts_.size(); ++number)
            if (counts_[number] != 0) list(labels_[number]);
    }
    // The pairs of labels that can occur in the task, numbered, and the current comparison of each pair.
    std::size_t pair_count() const { return pairs_.size(); }
    Hash pair_hash(std::size_t pair) const { return pairs_[pair].hash; }
    Comparison comparison(std::size_t pair) const { return comparisons_[pair]; }
    // Hash of the labels that occur and of all comparisons.
    Hash key() const { return key_; }

private:
    struct Pair {
        std::uint32_t first, second;  // the label of the smaller hash comes first
        Hash hash;
    };
    void add_pairs(std::span<const std::uint32_t> possible);
    void compare(std::uint32_t pair);

    std::vector<Hash> labels_;
    std::vector<std::uint32_t> counts_;
    std::vector<Pair> pairs_;
    std::vector<Comparison> comparisons_;
    std::vector<std::vector<std::uint32_t>> pairs_of_;  // label -> its pairs
    Collected changed_;                                 // labels
    Hash key_ = 0;
};

}  // namespace fsplan::relational
