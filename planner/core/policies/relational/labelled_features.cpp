#include "policies/relational/labelled_features.hpp"

namespace fsplan::relational {

namespace {

// Computes the features of a state; returns the index of its first edge and the number of its edges.
std::pair<std::size_t, std::size_t> set_state(Features& features, const LabelledStates& states, std::size_t number,
                                              bool successors) {
    const std::size_t begin = states.edges_begin[number], count = states.edges_begin[number + 1] - begin;
    features.set_state({states.values + number * states.width, states.width}, {states.actions + begin, count});
    if (successors) features.compare_all();
    return {begin, count};
}

class FeatureLabeller {
public:
    FeatureLabeller(const Structure& structure, bool successors, LabelledFeatures& out)
        : features_(structure), successors_(successors), out_(out) {}

    void add(const LabelledStates& states, std::size_t number) {
        const auto [begin, count] = set_state(features_, states, number, successors_);
        row_of_.clear();
        for (std::size_t edge = 0; edge < count; ++edge) {
            if (states.optimal[begin + edge] > 1) continue;
            const std::size_t row = row_of(edge);
            out_.actions[row] += 1;
            out_.optimal[row] += states.optimal[begin + edge];
        }
        out_.states.push_back(static_cast<std::uint32_t>(out_.row_count()));
    }

private:
    std::size_t row_of(std::size_t edge) {
        features_.list(edge, row_);
        Hash all = 0;
        for (const Hash feature : row_) all = join(all, feature);
        const auto [place, is_new] = row_of_.emplace(all, out_.row_count());
        if (is_new) {
            out_.features.insert(out_.features.end(), row_.begin(), row_.end());
            out_.rows.push_back(out_.features.size());
            out_.actions.push_back(0);
            out_.optimal.push_back(0);
        }
        return place->second;
    }

    Features features_;
    bool successors_;
    LabelledFeatures& out_;
    std::vector<Hash> row_;
    std::unordered_map<Hash, std::size_t> row_of_;
};

}  // namespace

LabelledFeatures label_features(const Structure& structure, const LabelledStates& states, bool successors) {
    LabelledFeatures examples;
    FeatureLabeller maker(structure, successors, examples);
    for (std::size_t state = 0; state < states.count; ++state) maker.add(states, state);
    return examples;
}

std::pair<std::vector<std::uint64_t>, std::vector<Hash>> list_features(const Structure& structure,
                                                                       const LabelledStates& states) {
    Features features(structure);
    std::vector<std::uint64_t> rows{0};
    std::vector<Hash> all, row;
    for (std::size_t state = 0; state < states.count; ++state) {
        const std::size_t count = set_state(features, states, state, true).second;
        for (std::size_t edge = 0; edge < count; ++edge) {
            features.list(edge, row);
            all.insert(all.end(), row.begin(), row.end());
            rows.push_back(all.size());
        }
    }
    return {std::move(rows), std::move(all)};
}

}  // namespace fsplan::relational
