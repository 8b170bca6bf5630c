// Numbers of fluent atoms per label (predicate and status), and comparisons of these numbers.
//
// Comparisons let a policy reason about numbers independently of the size of the task: "there are more nuts to tighten
// than spanners carried" is the same feature with 3 and with 300 nuts. Two labels are compared if both can occur in the
// task and at least one occurs in the state. From one state to the next only pairs of labels whose numbers have changed
// are compared again.
#pragma once

#include "policies/relational/collected.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

enum class Comparison : std::uint8_t { absent, fewer, as_many, more };  // absent: neither label occurs in the state

// The labels that fluent atoms and goals can have in some state, sorted by their hashes.
inline std::vector<std::uint32_t> possible_labels(const Structure& structure, std::span<const Hash> labels) {
    std::vector<std::uint8_t> is_possible(labels.size());
    for (AtomId atom = 0; atom < structure.fluent_count(); ++atom)
        is_possible[structure.label_number(atom, structure.status_if_true(atom))] = 1;
    for (const AtomId goal : structure.goals()) is_possible[structure.label_number(goal, AtomStatus::open_goal)] = 1;
    std::vector<std::uint32_t> found;
    for (std::uint32_t label = 0; label < labels.size(); ++label)
        if (is_possible[label]) found.push_back(label);
    std::ranges::sort(found, [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
    return found;
}

inline Comparison compared(std::uint32_t first, std::uint32_t second) {
    if (first == second) return first == 0 ? Comparison::absent : Comparison::as_many;
    return first < second ? Comparison::fewer : Comparison::more;
}

class LabelCounts {
public:
    explicit LabelCounts(const Structure& structure)
        : labels_(structure.labels()), counts_(labels_.size()), pairs_of_(labels_.size()), changed_(labels_.size()) {
        add_pairs(possible_labels(structure, labels_));
        comparisons_.resize(pairs_.size(), Comparison::absent);
    }

    // Labels are numbered as by Structure::label_number.
    void add(std::uint32_t label, int change) {
        std::uint32_t& count = counts_[label];
        if (count == 0) key_ += mix(labels_[label]);
        count += static_cast<std::uint32_t>(change);
        if (count == 0) key_ -= mix(labels_[label]);
        changed_.add(label);
    }
    // Must be called after the last change of a state, before any of the functions below.
    void compare() {
        for (const std::uint32_t label : changed_.numbers())
            for (const std::uint32_t pair : pairs_of_[label]) compare(pair);
        changed_.clear();
    }

    // Number of fluent atoms of this status.
    std::uint32_t count(AtomStatus status) const {
        std::uint32_t sum = 0;
        for (auto label = static_cast<std::size_t>(status); label < counts_.size(); label += kAtomStatuses)
            sum += counts_[label];
        return sum;
    }
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
    void add_pairs(std::span<const std::uint32_t> possible) {
        for (std::size_t i = 0; i < possible.size(); ++i) {
            for (std::size_t j = i + 1; j < possible.size(); ++j) {
                const std::uint32_t first = possible[i], second = possible[j];
                for (const std::uint32_t label : {first, second})
                    pairs_of_[label].push_back(static_cast<std::uint32_t>(pairs_.size()));
                pairs_.push_back({first, second, join(labels_[first], labels_[second])});
            }
        }
    }
    void compare(std::uint32_t pair) {
        const Comparison now = compared(counts_[pairs_[pair].first], counts_[pairs_[pair].second]);
        Comparison& before = comparisons_[pair];
        if (now == before) return;
        const auto hash = [&](Comparison each) { return join(pairs_[pair].hash, static_cast<Hash>(each)); };
        key_ += hash(now) - hash(before);
        before = now;
    }

    std::vector<Hash> labels_;
    std::vector<std::uint32_t> counts_;
    std::vector<Pair> pairs_;
    std::vector<Comparison> comparisons_;
    std::vector<std::vector<std::uint32_t>> pairs_of_;  // label -> its pairs
    Collected changed_;                                 // labels
    Hash key_ = 0;
};

}  // namespace fsplan::relational
