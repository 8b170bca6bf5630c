// The sums of the weights of the actions' features (features.hpp).
//
// Consecutive states differ little. So the sum of a group of features is cached with the key of the group, per schema,
// per parameter and object, or per action, and reused as long as the key is the same. Sums that depend on colours only
// are also cached in a table by key, because other objects and actions get the same colours.
#pragma once

#include "policies/relational/features.hpp"
#include "policies/relational/hash_table.hpp"

namespace fsplan::relational {

inline constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

inline constexpr std::size_t kExpectedSums = std::size_t{1} << 10, kMostSums = std::size_t{1} << 20;

// Kinds of sums in FeatureSums::shared_. The name of a sum is a hash of its kind plus the number of a schema or parameter,
// and the key of its group.
inline constexpr Hash kTuples = 0, kViews = Hash{1} << 32, kCompany = Hash{2} << 32;

inline bool have_context(std::span<const Hash> names, std::span<const float> weights) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (weights[i] != 0 && block_of(names[i]) == Block::context) return true;
    return false;
}

class FeatureSums {
public:
    // The features must outlive the sums. Weights of 0 are ignored.
    FeatureSums(Features& features, std::span<const Hash> names, std::span<const float> weights)
        : features_(features), structure_(features.structure()), weights_(weight_table(names, weights)),
          has_context_(have_context(names, weights)), shared_(has_context_ ? kExpectedSums : 0) {
        read_new_actions();
    }
    // Must be called after Features::read_new_actions.
    void read_new_actions() {
        effects_.resize(structure_.action_count());
        context_.resize(has_context_ ? effects_.size() : 0);
        if (structure_.schema_count() == by_schema_.size()) return;
        by_schema_.resize(structure_.schema_count());
        list_comparison_weights();
        by_argument_.resize(structure_.place_count() * structure_.object_count());
        company_.resize(has_context_ ? by_argument_.size() : 0);
        plan_.resize(structure_.schema_count() * Features::kPlanKeys, kUnknown);
        guides_.resize(structure_.schema_count() * Features::kGuideKeys, kUnknown);
    }

    // Sum over the features of all blocks except Block::guides.
    float sum(std::size_t edge) {
        const ActionId action = features_.action(edge);
        const std::uint32_t schema = structure_.schema(action);
        const auto objects = structure_.arguments(action);
        float sum = schema_sum(edge, schema);
        const std::size_t object_count = structure_.object_count();
        Kept* of_place = by_argument_.data() + structure_.first_place(schema) * object_count;
        for (std::size_t i = 0; i < objects.size(); ++i, of_place += object_count)
            sum += kept(of_place[objects[i]], features_.argument_key(objects[i]),
                        [&](auto add) { features_.argument_features(edge, i, add); });
        sum += kept(effects_[action], features_.effects_key(edge),
                    [&](auto add) { features_.effect_features(edge, add); });
        sum += kept(plan_[schema * Features::kPlanKeys + features_.plan_key(edge)],
                    [&](auto add) { features_.plan_features(edge, add); });
        if (features_.costs_differ()) sum += cost_sum(edge);
        return has_context_ ? sum + context_sum(edge, schema, objects) : sum;
    }
    // Sum over the features of Block::guides; Features::compare must have been called for this edge.
    float sum_of_guides(std::size_t edge) {
        const std::uint32_t schema = structure_.schema(features_.action(edge));
        float sum = kept(guides_[schema * Features::kGuideKeys + features_.guides_key(edge)],
                         [&](auto add) { features_.guide_features(edge, add); });
        if (features_.costs_differ()) sum += weigh([&](auto add) { features_.cost_guide_features(edge, add); });
        return sum;
    }

    std::size_t bytes() const {
        std::size_t kept = 2 * context_.size();
        for (const auto* sums : {&by_schema_, &by_argument_, &company_, &effects_}) kept += sums->size();
        return weights_.bytes() + shared_.bytes() + sizeof(Kept) * kept +
               sizeof(float) * (plan_.size() + guides_.size());
    }

private:
    // A sum cached with the key of its group; key 0 means that no sum is cached.
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
    void list_comparison_weights() {
        const std::size_t pairs = features_.label_counts().pair_count();
        for (auto schema = static_cast<std::uint32_t>(comparisons_.size()); schema < by_schema_.size(); ++schema) {
            comparisons_.emplace_back();
            for (std::uint32_t pair = 0; pair < pairs; ++pair) {
                for (const Comparison each : {Comparison::fewer, Comparison::as_many, Comparison::more}) {
                    const Hash feature = features_.comparison_feature(structure_.hash_of_schema(schema), pair, each);
                    if (weights_[feature] != 0) comparisons_[schema].push_back({pair, each, weights_[feature]});
                }
            }
        }
    }
    // The sum over schema_features and comparison_features. Few comparisons have weights, so only these are looked up.
    float schema_sum(std::size_t edge, std::uint32_t schema) {
        Kept& kept = by_schema_[schema];
        if (kept.key == features_.schema_key()) return kept.sum;
        kept = {features_.schema_key(), weigh([&](auto add) { features_.schema_features(edge, add); })};
        for (const ComparisonWeight& each : comparisons_[schema])
            if (features_.label_counts().comparison(each.pair) == each.comparison) kept.sum += each.weight;
        return kept.sum;
    }
    float cost_sum(std::size_t edge) const {
        const float sum = weigh([&](auto add) { features_.cost_features(edge, add); });
        return has_context_ ? sum + weigh([&](auto add) { features_.cost_context_features(edge, add); }) : sum;
    }
    float context_sum(std::size_t edge, std::uint32_t schema, std::span<const ObjectId> objects) {
        Context& context = context_[features_.action(edge)];
        const Hash key = features_.context_key(edge);
        if (context.all.key != key) {
            const float links =
                kept(context.links, features_.find_links(edge), [&](auto add) { features_.link_features(add); });
            context.all = {key, links + look_sum(edge, schema, objects)};
        }
        float sum = context.all.sum;
        for (std::size_t i = 0; i < objects.size(); ++i)
            sum += company_sum(edge, i, structure_.first_place(schema) + i, objects[i]);
        return sum;
    }
    // The sum over view_features and arguments_features.
    float look_sum(std::size_t edge, std::uint32_t schema, std::span<const ObjectId> objects) {
        float sum = 0;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const Hash place = kViews + (structure_.first_place(schema) + i) * kRounds;
            for (std::size_t round = 0; round < kRounds; ++round)
                sum += shared(join(place + round, features_.view_key(objects[i], round)),
                              [&] { return view_sum(edge, i, round); });
        }
        for (std::size_t round = 0; round < kRounds; ++round)
            sum += shared(join(kTuples + schema * kRounds + round, features_.arguments_key(edge, round)),
                          [&] { return weigh([&](auto add) { features_.arguments_features(edge, round, add); }); });
        return sum;
    }
    // A feature that is listed twice counts once. Few features have weights, so only these are checked for repetitions.
    float view_sum(std::size_t edge, std::size_t i, std::size_t round) {
        float sum = 0;
        distinct_.clear();
        features_.view_features(edge, i, round, [&](Hash feature) {
            const float weight = weights_[feature];
            if (weight == 0 || std::ranges::count(distinct_, feature) > 0) return;
            distinct_.push_back(feature);
            sum += weight;
        });
        return sum;
    }
    float company_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object) {
        Kept& kept = company_[place * structure_.object_count() + object];
        const Hash key = features_.company_key(object);
        if (kept.key == key) return kept.sum;
        const auto find = [&] { return weigh([&](auto add) { features_.company_features(edge, i, add); }); };
        kept = {key, shared(join(kCompany + place, key), find)};
        return kept.sum;
    }
    // Sum of the weights of the features that list(add) adds. It is not inlined, because cached sums make calls rare.
    template <class List>
    float weigh(List list) const {
        float sum = 0;
        list([&](Hash feature) { sum += weights_[feature]; });
        return sum;
    }
    template <class List>
    float kept(Kept& kept, Hash key, List list) const {
        if (kept.key != key) [[unlikely]]
            kept = {key, weigh(list)};
        return kept.sum;
    }
    template <class List>
    float kept(float& kept, List list) const {
        if (std::isnan(kept)) kept = weigh(list);
        return kept;
    }
    // The cached sum of this name; if there is none, the result of find(), which is then cached.
    template <class Find>
    float shared(Hash name, Find find) {
        if (const float* known = shared_.find(name)) return *known;
        const float sum = find();
        if (shared_.size() >= kMostSums) shared_.clear(kExpectedSums);
        shared_.insert(name, sum);
        return sum;
    }

    Features& features_;
    const Structure& structure_;
    HashTable<float> weights_;
    bool has_context_;         // whether a feature of the block context has a weight
    HashTable<float> shared_;  // name -> sum; emptied when it has kMostSums entries
    std::vector<Hash> distinct_;
    std::vector<Kept> by_schema_;
    std::vector<std::vector<ComparisonWeight>> comparisons_;  // per schema; weights of 0 are omitted
    std::vector<Kept> by_argument_, company_;                 // per parameter and object
    std::vector<Kept> effects_;                               // per action
    std::vector<Context> context_;                            // per action
    std::vector<float> plan_, guides_;                        // per schema and key; NaN if not computed
};

}  // namespace fsplan::relational
