#include "policies/relational/label_counts.hpp"

#include <algorithm>

namespace fsplan::relational {

namespace {

// The labels that fluent atoms and goals can have in some state, sorted by their hashes.
std::vector<std::uint32_t> possible_labels(const Structure& structure, std::span<const Hash> labels) {
    std::vector<std::uint8_t> is_possible(labels.size());
    for (AtomId atom = 0; atom < structure.fluent_count(); ++atom)
        is_possible[structure.label_number(atom, structure.status_if_true(atom))] = 1;
    for (const AtomId goal : structure.goals()) is_possible[structure.label_number(goal, AtomStatus::open_goal)] = 1;
    std::vector<std::uint32_t> found;
    for (std::uint32_t label = 0; label < labels.size(); ++label)
        if (is_possible[label]) found.push_back(label);
    std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
    return found;
}

Comparison compared(std::uint32_t first, std::uint32_t second) {
    if (first == second) return first == 0 ? Comparison::absent : Comparison::as_many;
    return first < second ? Comparison::fewer : Comparison::more;
}

}  // namespace

LabelCounts::LabelCounts(const Structure& structure)
    : labels_(structure.labels()), counts_(labels_.size()), pairs_of_(labels_.size()), changed_(labels_.size()) {
    add_pairs(possible_labels(structure, labels_));
    comparisons_.resize(pairs_.size(), Comparison::absent);
}

void LabelCounts::add_pairs(std::span<const std::uint32_t> possible) {
    for (std::size_t i = 0; i < possible.size(); ++i) {
        for (std::size_t j = i + 1; j < possible.size(); ++j) {
            const std::uint32_t first = possible[i], second = possible[j];
            for (const std::uint32_t label : {first, second})
                pairs_of_[label].push_back(static_cast<std::uint32_t>(pairs_.size()));
            pairs_.push_back({first, second, join(labels_[first], labels_[second])});
        }
    }
}

void LabelCounts::add(std::uint32_t label, int change) {
    std::uint32_t& count = counts_[label];
    if (count == 0) key_ += mix(labels_[label]);
    count += static_cast<std::uint32_t>(change);
    if (count == 0) key_ -= mix(labels_[label]);
    changed_.add(label);
}

void LabelCounts::compare() {
    for (const std::uint32_t label : changed_.numbers())
        for (const std::uint32_t pair : pairs_of_[label]) compare(pair);
    changed_.clear();
}

void LabelCounts::compare(std::uint32_t pair) {
    const Comparison now = compared(counts_[pairs_[pair].first], counts_[pairs_[pair].second]);
    Comparison& before = comparisons_[pair];
    if (now == before) return;
    const auto hash = [&](Comparison each) { return join(pairs_[pair].hash, static_cast<Hash>(each)); };
    key_ += hash(now) - hash(before);
    before = now;
}

}  // namespace fsplan::relational
