// Labelled states of one task, in the form that fitting needs: for every state the distinct rows of features among its
// applicable actions, how many actions share a row, and how many of those are optimal. Actions with the same features
// have the same score, so nothing is lost, and symmetric tasks become much smaller.
#pragma once

#include "policies/relational/features.hpp"

namespace fsplan::relational {

struct LabelledFeatures {
    std::vector<std::uint32_t> states{0};  // state -> its rows states[i] .. states[i+1]
    std::vector<float> actions;            // per row: how many actions have it
    std::vector<float> optimal;            // per row: how many of these are optimal
    std::vector<std::uint64_t> rows{0};    // row -> its features rows[r] .. rows[r+1]
    std::vector<Hash> features;

    std::size_t state_count() const { return states.size() - 1; }
    std::size_t row_count() const { return rows.size() - 1; }
    std::span<const Hash> row(std::size_t number) const {
        return {features.data() + rows[number], rows[number + 1] - rows[number]};
    }
};

struct LabelledStates {
    std::size_t count;
    std::size_t width;
    const std::int32_t* values;        // `count` states of `width` values each
    const std::uint32_t* edges_begin;  // count + 1
    const ActionId* actions;           // per edge, ascending within a state
    const std::uint8_t* optimal;       // per edge: 1 for optimal, 0 for not optimal, 2 for unknown, which is left out
};

// If `successors` is false, the features of Block::guides, which take the most time, are omitted.
LabelledFeatures label_features(const Structure& structure, const LabelledStates& states, bool successors);

// The features of all edges in one array, and the index of the first feature of each edge; labels are ignored.
std::pair<std::vector<std::uint64_t>, std::vector<Hash>> list_features(const Structure& structure,
                                                                       const LabelledStates& states);

}  // namespace fsplan::relational
