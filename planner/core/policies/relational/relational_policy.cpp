#include "policies/relational/relational_policy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "policies/untrained.hpp"

namespace fsplan::relational {

namespace {

constexpr std::size_t kExpectedSums = std::size_t{1} << 12, kMostSums = std::size_t{1} << 20;

HashTable<float> make_table(std::span<const Hash> features, std::span<const float> weights) {
    if (features.size() != weights.size()) throw std::invalid_argument("one weight for each feature is needed");
    HashTable<float> table(features.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
        if (!std::isfinite(weights[i])) throw std::invalid_argument("a weight is not finite");
        if ((features[i] & 3) >= kBlocks) throw std::invalid_argument("a feature of an unknown block");
        table.insert(features[i], weights[i]);
    }
    return table;
}

Block last_of(std::span<const Hash> features) {
    Block last = Block::colours;
    for (const Hash feature : features) last = std::max(last, block_of(feature));
    return last;
}

}  // namespace

RelationalPolicy::RelationalPolicy(const GroundTask& task, const Description& description,
                                   std::span<const Hash> features, std::span<const float> weights)
    : structure_(task, description), weights_(make_table(features, weights)), last_(last_of(features)),
      features_(structure_, last_), sums_(kExpectedSums),
      by_schema_(structure_.schema_count()), by_argument_(structure_.place_count() * structure_.object_count()),
      by_company_(by_argument_.size()), by_action_(task.action_count()), by_outlook_(structure_.schema_count() * Features::kOutlooks) {
}

void RelationalPolicy::score_in_turn(const PolicyBatch& batch) {
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::size_t begin = batch.edges_begin[i], count = batch.edges_begin[i + 1] - begin;
        features_.set_state({batch.values + i * batch.width, batch.width}, {batch.actions + begin, count});
        const std::span<float> scores{batch.log_probabilities + begin, count};
        for (std::size_t edge = 0; edge < count; ++edge) scores[edge] = total(edge, batch.actions[begin + edge]);
        batch.reading == Reading::log_probabilities ? log_softmax(scores) : lower_to_zero(scores);
    }
}

template <class List>
float RelationalPolicy::weigh(List list) const {
    float sum = 0;
    list([&](Hash feature) { sum += weights_[feature]; });
    return sum;
}

// A feature may be listed twice and counts once. Few have a weight, so only these are checked for repetitions.
float RelationalPolicy::weigh_argument(std::size_t edge, std::size_t i, std::size_t round) {
    float sum = 0;
    distinct_.clear();
    features_.argument_features(edge, i, round, [&](Hash feature) {
        const float weight = weights_[feature];
        if (weight != 0 && distinct_.insert(feature)) sum += weight;
    });
    return sum;
}

float RelationalPolicy::total(std::size_t edge, ActionId action) {
    const std::uint32_t schema = structure_.schema(action);
    const auto objects = structure_.arguments(action);
    OfAction& of_action = by_action_[action];
    float sum = schema_sum(edge, schema);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const std::size_t place = structure_.first_place(schema) + i;
        sum += argument_sum(edge, i, place, objects[i]) + company_sum(edge, i, place, objects[i]);
    }
    if (objects.size() > 1) {
        for (std::size_t round = 0; round <= kRounds; ++round) sum += arguments_sum(edge, round, of_action.arguments[round]);
        sum += links_sum(edge, of_action.links);
    }
    if (features_.costs_differ()) sum += weigh([&](auto add) { features_.cost_features(edge, add); });
    return sum + effects_sum(edge, action, of_action) + relaxed_sum(edge, schema);
}

float RelationalPolicy::schema_sum(std::size_t edge, std::uint32_t schema) {
    Kept& kept = by_schema_[schema];
    if (kept.known && kept.key == features_.schema_key()) return kept.sum;
    kept = {features_.schema_key(), weigh([&](auto add) { features_.schema_features(edge, add); }), true};
    return kept.sum;
}

float RelationalPolicy::argument_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object) {
    Kept& kept = by_argument_[place * structure_.object_count() + object];
    const Hash key = features_.argument_key(object, kRounds);
    if (kept.known && kept.key == key) return kept.sum;
    float sum = 0;
    for (std::size_t round = 1; round <= kRounds; ++round) {
        const Hash entry = join(place * kRounds + round, features_.argument_key(object, round));
        const float* known = sums_.find(entry);
        const float found = known != nullptr ? *known : weigh_argument(edge, i, round);
        if (known == nullptr) keep(entry, found);
        sum += found;
    }
    kept = {key, sum, true};
    return sum;
}

float RelationalPolicy::company_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object) {
    Kept& kept = by_company_[place * structure_.object_count() + object];
    const Hash key = features_.company_key(object);
    if (kept.known && kept.key == key) return kept.sum;
    const Hash entry = join(~Hash{place}, key);
    const float* known = sums_.find(entry);
    const float sum = known != nullptr ? *known : weigh([&](auto add) { features_.company_features(edge, i, add); });
    if (known == nullptr) keep(entry, sum);
    kept = {key, sum, true};
    return sum;
}

void RelationalPolicy::keep(Hash entry, float sum) {
    if (sums_.size() >= kMostSums) sums_.clear();
    sums_.insert(entry, sum);
}

float RelationalPolicy::arguments_sum(std::size_t edge, std::size_t round, Kept& kept) const {
    const Hash key = features_.arguments_key(edge, round);
    if (!kept.known || kept.key != key)
        kept = {key, weigh([&](auto add) { features_.arguments_features(edge, round, add); }), true};
    return kept.sum;
}

float RelationalPolicy::links_sum(std::size_t edge, Kept& kept) {
    const Hash key = features_.links_key(edge);
    if (!kept.known || kept.key != key) kept = {key, weigh([&](auto add) { features_.link_features(edge, add); }), true};
    return kept.sum;
}

float RelationalPolicy::effects_sum(std::size_t edge, ActionId action, OfAction& of_action) {
    using Effects = OfAction::Effects;
    if (of_action.kind == Effects::fixed) return of_action.effects;
    const float sum = weigh([&](auto add) { features_.effect_features(edge, add); });
    if (of_action.kind == Effects::unknown)
        of_action.kind = features_.has_fixed_effects(action) ? Effects::fixed : Effects::varying;
    return of_action.effects = sum;
}

float RelationalPolicy::relaxed_sum(std::size_t edge, std::uint32_t schema) {
    if (last_ == Block::colours) return 0;
    Kept& kept = by_outlook_[schema * Features::kOutlooks + features_.relaxed_key(edge)];
    if (!kept.known) kept = {0, weigh([&](auto add) { features_.relaxed_features(edge, add); }), true};
    return kept.sum;
}

}  // namespace fsplan::relational
