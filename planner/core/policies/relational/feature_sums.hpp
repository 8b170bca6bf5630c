// The sums of the weights of the actions' features (features.hpp).
//
// Consecutive states differ little. So the sum of a group of features is cached with the key of the group, per schema,
// per parameter and object, or per action, and reused as long as the key is the same. Sums that depend on colours only
// are also cached in a table by key, because other objects and actions get the same colours.
#pragma once

#include <span>
#include <vector>

#include "policies/relational/features.hpp"
#include "policies/relational/hash_set.hpp"
#include "policies/relational/hash_table.hpp"

namespace fsplan::relational {

class FeatureSums {
public:
    // The features must outlive the sums. A weight of 0 counts as none.
    FeatureSums(Features& features, std::span<const Hash> names, std::span<const float> weights);

    // Sum over all blocks except the guides.
    float sum(std::size_t edge);
    // Sum over the block guides, for an edge that was compared.
    float sum_of_guides(std::size_t edge);

    std::size_t bytes() const;

private:
    // A cached sum; key 0 means that there is none.
    struct Kept {
        Hash key = 0;
        float sum = 0;
    };
    struct Context {
        Kept all, links;
    };
    // The weight of a comparison of two labels, which are numbered as a pair (label_counts.hpp).
    struct ComparisonWeight {
        std::uint32_t pair;
        Comparison comparison;
        float weight;
    };
    void list_comparison_weights();
    float schema_sum(std::size_t edge, std::uint32_t schema);
    float cost_sum(std::size_t edge) const;
    float context_sum(std::size_t edge, std::uint32_t schema, std::span<const ObjectId> objects);
    float look_sum(std::size_t edge, std::uint32_t schema, std::span<const ObjectId> objects);
    float view_sum(std::size_t edge, std::size_t i, std::size_t round);
    float company_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object);
    // Sum of the weights of the features that list(add) adds.
    template <class List>
    float weigh(List list) const;
    template <class List>
    float kept(Kept& kept, Hash key, List list) const;
    template <class List>
    float kept(float& kept, List list) const;
    // The cached sum of this name; if there is none, the result of find(), which is then cached.
    template <class Find>
    float shared(Hash name, Find find);

    Features& features_;
    const Structure& structure_;
    HashTable<float> weights_;
    bool has_context_;         // whether a feature of the block context has a weight
    HashTable<float> shared_;  // emptied when it grows too large
    HashSet distinct_;
    std::vector<Kept> by_schema_;
    std::vector<std::vector<ComparisonWeight>> comparisons_;  // per schema; weights of 0 are omitted
    std::vector<Kept> by_argument_, company_;                 // per parameter and object
    std::vector<Kept> effects_;                               // per action
    std::vector<Context> context_;                            // per action
    std::vector<float> plan_, guides_;                        // per schema and key; NaN if not computed
};

}  // namespace fsplan::relational
