// A policy for every task of a domain: log π(a|s) is a log-softmax over the applicable actions of the sum of the weights
// of their features (features.hpp).
//
// From state to state little changes, so the sum of the weights of a group of features is kept with the group's key
// (features.hpp), per schema, per parameter and object, or per action. It is used again while the key is the same. Sums of
// single arguments, which take longest, are also kept in a table by key, for objects that come to look alike.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "policies/relational/features.hpp"
#include "policies/relational/hash_table.hpp"
#include "policy.hpp"

namespace fsplan::relational {

class RelationalPolicy final : public PolicyWithMemory {
public:
    // The task must outlive the policy; one weight for each feature.
    RelationalPolicy(const GroundTask& task, const Description& description, std::span<const Hash> features,
                     std::span<const float> weights);

    bool is_well_defined() const override { return true; }
    void score_in_turn(const PolicyBatch& batch) override;

    // The most expensive block of features that has a weight.
    Block last_block() const { return last_; }
    std::size_t bytes() const {
        return weights_.bytes() + sums_.bytes() + sizeof(Kept) * (by_schema_.size() + by_argument_.size() + by_company_.size()) +
               sizeof(OfAction) * by_action_.size();
    }

private:
    struct Kept {
        Hash key = 0;
        float sum = 0;
        bool known = false;
    };
    struct OfAction {
        std::array<Kept, kRounds + 1> arguments;  // by round
        Kept links;
        float effects = 0;
        enum class Effects : std::uint8_t { unknown, fixed, varying } kind = Effects::unknown;
    };
    float total(std::size_t edge, ActionId action);
    float schema_sum(std::size_t edge, std::uint32_t schema);
    float argument_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object);
    float company_sum(std::size_t edge, std::size_t i, std::size_t place, ObjectId object);
    float arguments_sum(std::size_t edge, std::size_t round, Kept& kept) const;
    float links_sum(std::size_t edge, Kept& kept);
    float effects_sum(std::size_t edge, ActionId action, OfAction& of_action);
    float relaxed_sum(std::size_t edge, std::uint32_t schema);
    // The weights of the features that list(add) gives.
    template <class List>
    float weigh(List list) const;
    float weigh_argument(std::size_t edge, std::size_t i, std::size_t round);
    void keep(Hash entry, float sum);

    Structure structure_;
    HashTable<float> weights_;
    Block last_;
    Features features_;
    HashTable<float> sums_;                 // of arguments; emptied when it grows too large
    HashSet distinct_;
    std::vector<Kept> by_schema_;
    std::vector<Kept> by_argument_, by_company_;  // parameter by parameter, per object
    std::vector<OfAction> by_action_;
    std::vector<Kept> by_outlook_;          // per schema, kOutlooks each
};

}  // namespace fsplan::relational
