// Features of the applicable actions of a state, as 64-bit hashes: an action has each of its features once, with value 1.
//
// For schema s with arguments o_1 … o_k:
//   schema     s alone; s with every label present in the state
//   argument   s, i and each colour of o_i; s, i and how o_i sees its neighbours through each of its atoms
//   company    s, i, the first colour of o_i, and each first colour that some object of the state has
//   arguments  s and the colours of two arguments, of all arguments, round by round
//   links      s and each atom that joins two arguments, with the arguments marked and other objects by their first
//              colour; s and all of those together
//   effects    what the action adds and deletes and whether that is a goal, with and without s
//   cost       where the actions of the task differ in cost: s and how the cost compares with that of the cheapest applicable
//              action of s, of those with the same colours, of those with the same o_i, of those that are as helpful; how far
//              c + h_FF of the successor is above the least among the siblings, as a part of h_FF of the state
//   relaxed    whether the action is helpful; how c + h_FF of the successor compares with h_FF of the state and with the
//              least among the siblings; each with and without s
// The lowest two bits of a feature name its block. The first block needs no relaxed plan, the second one per state, the third
// one per successor.
//
// Groups seldom change from state to state. The groups schema, argument and arguments depend on colours only, since the views
// of a round are part of the next colour. Links depend on the labels of the atoms between an action's arguments; which atoms
// these are is the same in all states. Most actions have the same effects wherever they are applicable. So every group has a
// key: as long as the key is the same, so are the group's features, and a policy need not add up their weights again
// (relational_policy.hpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "policies/relational/action_costs.hpp"
#include "policies/relational/colours.hpp"
#include "policies/relational/outlook.hpp"
#include "policies/relational/hash_set.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

enum class Block : std::uint8_t { colours, helpful, guides };
inline constexpr std::size_t kBlocks = 3;
inline constexpr std::uint32_t kFeatureVersion = 2;

inline Block block_of(Hash feature) { return static_cast<Block>(feature & 3); }

class Features {
public:
    // The structure must outlive the features. Blocks beyond `last` are left out.
    Features(const Structure& structure, Block last);

    void set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions);

    // The distinct features of an action of the state, sorted.
    void list(std::size_t edge, std::vector<Hash>& out);

    // Each group with its key. The features depend on the key and on what the comment names, nothing else. `add` is called
    // with each feature; only argument_features may pass one twice.
    Hash schema_key() const { return colours_.label_set(); }  // and the schema
    template <class Add>
    void schema_features(std::size_t edge, Add add) const;
    // Views of the round before, and the colour; in round 1 also the first colour. Key, schema and place of the argument.
    Hash argument_key(ObjectId object, std::size_t round) const { return colours_.of(round, object); }
    template <class Add>
    void argument_features(std::size_t edge, std::size_t i, std::size_t round, Add add) const;
    Hash company_key(ObjectId object) const { return colours_.of(0, object) + colours_.first_colours(); }
    template <class Add>
    void company_features(std::size_t edge, std::size_t i, Add add) const;
    Hash arguments_key(std::size_t edge, std::size_t round) const;  // and the action
    template <class Add>
    void arguments_features(std::size_t edge, std::size_t round, Add add) const;
    Hash links_key(std::size_t edge);  // and the action
    template <class Add>
    void link_features(std::size_t edge, Add add);
    // Whether the effects are the same in every state where the action is applicable.
    bool has_fixed_effects(ActionId action) const;
    template <class Add>
    void effect_features(std::size_t edge, Add add);
    // The key, below kOutlooks, and the schema.
    static constexpr std::size_t kOutlooks = 2 * 9 * 5;
    std::size_t relaxed_key(std::size_t edge) const;
    template <class Add>
    void relaxed_features(std::size_t edge, Add add) const;

    bool costs_differ() const { return costs_.differ(); }  // else there are no cost_features
    template <class Add>
    void cost_features(std::size_t edge, Add add) const;

    std::size_t size() const { return actions_.size(); }
    std::size_t arity(std::size_t edge) const { return structure_.arguments(actions_[edge]).size(); }

private:
    Hash schema_hash(std::size_t edge) const { return structure_.schema_hash(actions_[edge]); }
    // An atom that joins arguments of an action; `closed`: it has no other objects. Those of an action are found when it is
    // first seen.
    struct Link {
        AtomId atom;
        bool closed;
    };
    struct LinkRange {
        std::uint32_t begin = 0, end = 0;
        bool known = false;
    };
    void mark_arguments(std::size_t edge);
    void unmark_arguments();
    std::span<const Link> links(std::size_t edge);
    void find_links();
    bool joins_arguments(AtomId atom, ObjectId object) const;
    bool has_only_arguments(AtomId atom) const;
    Hash link_hash(AtomId atom, std::size_t edge) const;
    void list_links(std::size_t edge);
    void make_prefixes();
    void list_effects(std::size_t edge);
    void add_effect(AtomId atom, bool adds);
    bool happens(std::size_t effect) const;
    void rate_successors();
    template <class List>
    void list_cost_kinds(std::size_t edge, List list) const;
    void compare_costs();

    const Structure& structure_;
    Block last_;
    Colours colours_;
    std::optional<Outlook> outlook_;
    ActionCosts costs_;
    std::span<const std::int32_t> values_;
    std::span<const ActionId> actions_;
    // Per edge: how its estimate compares with the state's, and with the best sibling's in units of the action's cost and of
    // the state's guide (see rate_successors).
    std::vector<std::uint8_t> progress_, gap_, lag_;
    std::vector<std::uint32_t> mark_;  // per object: 1 + its place among the action's arguments, or 0
    std::vector<Hash> found_links_, effects_;
    std::vector<std::vector<Hash>> prefixes_;  // per schema: of arguments_features
    std::vector<Link> links_;             // of all actions seen
    std::vector<LinkRange> link_ranges_;  // per action
    HashSet distinct_;
    std::vector<ObjectId> scanned_;
};

}  // namespace fsplan::relational

#include "policies/relational/features.inl"
