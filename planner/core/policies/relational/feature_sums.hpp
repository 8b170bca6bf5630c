// The sums of the weights of the actions' features (features.hpp).
//
// From state to state little changes, so the sum of a group of features is kept with the group's key, per schema, per parameter
// and object, or per action, and used again while the key is the same. Sums of what depends on colours only are also kept in a
// table by key, for objects and actions that come to look alike.
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

    // Of all blocks but the guides.
    float sum(std::size_t edge);
    // Of the guides, for an edge that was compared.
    float sum_of_guides(std::size_t edge);

    std::size_t bytes() const;

private:
    // No key is 0.
    struct Kept {
        Hash key = 0;
        float sum = 0;
    };
    struct Context {
        Kept all, links;
    };
    float cost_sum(std::size_t edge) const;
    float context_sum(std::size_t edge, std::uint32_t schema, std::span<const ObjectId> objects);
    float look_sum(std::size_t edge, std::uint32_t schema, std::span<const ObjectId> objects);
    float view_sum(std::size_t edge, std::size_t i, std::size_t round);
    float company_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object);
    // The weights of the features that list(add) gives.
    template <class List>
    float weigh(List list) const;
    template <class List>
    float kept(Kept& kept, Hash key, List list) const;
    template <class List>
    float kept(float& kept, List list) const;
    // The sum in the table under this name, or else the one that find() gives, which is added.
    template <class Find>
    float shared(Hash name, Find find);

    Features& features_;
    const Structure& structure_;
    HashTable<float> weights_;
    bool has_context_;                         // a feature of that block has a weight
    HashTable<float> shared_;                  // emptied when it grows too large
    HashSet distinct_;
    std::vector<Kept> by_schema_;
    std::vector<Kept> by_argument_, company_;  // parameter by parameter, per object
    std::vector<Kept> effects_;                // per action
    std::vector<Context> context_;             // per action
    std::vector<float> plan_, guides_;         // per schema, one for each key; not a number if not known
};

}  // namespace fsplan::relational
