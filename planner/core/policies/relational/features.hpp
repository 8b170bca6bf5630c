// Features of the applicable actions of a state, as 64-bit hashes: an action has each of its features once, with value 1.
//
// For schema s with arguments o_1 … o_k:
//   schema     s alone; s with every label present in the state
//   argument   s, i and each colour of o_i; s, i and how o_i sees its neighbours through each of its atoms
//   arguments  s and the colours of two arguments, of all arguments, round by round
//   links      s and each atom that joins two arguments, with the arguments marked and other objects by their first
//              colour; s and all of those together
//   effects    what the action adds and deletes and whether that is a goal, with and without s
//   relaxed    whether the action is helpful; how c + h_FF of the successor compares with h_FF of the state and with the
//              least among the siblings; each with and without s
// The lowest two bits of a feature name its block. Whoever uses only the first block needs no relaxed plan; whoever uses
// the first two needs one per state; the third needs one per successor.
//
// Everything in the groups schema, argument and arguments depends on the state only through colours. So their weights'
// sums are kept by colour, within a state (many actions share an argument) and from state to state. Links through static
// atoms are the same in every state, so an action's links depend only on those through other atoms; and most actions have
// the same effects wherever they are applicable.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "policies/relational/colours.hpp"
#include "policies/relational/outlook.hpp"
#include "policies/relational/hash_set.hpp"
#include "policies/relational/structure.hpp"

namespace fsplan::relational {

enum class Block : std::uint8_t { colours, helpful, guides };
inline constexpr std::size_t kBlocks = 3;
inline constexpr std::uint32_t kFeatureVersion = 1;

inline Block block_of(Hash feature) { return static_cast<Block>(feature & 3); }

class Features {
public:
    // The structure must outlive the features. Blocks from `last` on are left out.
    Features(const Structure& structure, Block last);

    void set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions);

    // The distinct features of an action of the state, sorted.
    void list(std::size_t edge, std::vector<Hash>& out);

    // The groups one by one, and the keys on which alone they depend. `add` takes a feature; no feature comes twice.
    Hash schema_key(std::size_t edge) const;
    Hash argument_key(std::size_t edge, std::size_t i) const;
    Hash arguments_key(std::size_t edge) const;
    template <class Add>
    void schema_features(std::size_t edge, Add add) const;
    template <class Add>
    void argument_features(std::size_t edge, std::size_t i, Add add);
    template <class Add>
    void arguments_features(std::size_t edge, Add add) const;
    // Of an action's links. Finds those through atoms that may change, on which link_features then relies.
    Hash links_key(std::size_t edge);
    template <class Add>
    void link_features(std::size_t edge, Add add);
    // 0 where the effects depend on the state beyond the precondition.
    Hash effects_key(std::size_t edge);
    template <class Add>
    void effect_features(std::size_t edge, Add add);
    template <class Add>
    void relaxed_features(std::size_t edge, Add add) const;

    std::size_t size() const { return actions_.size(); }
    std::size_t arity(std::size_t edge) const { return structure_.arguments(actions_[edge]).size(); }

private:
    Hash schema_hash(std::size_t edge) const { return structure_.schema_hash(actions_[edge]); }
    std::span<const Hash> views(ObjectId object);
    // A static atom that joins arguments of an action; `hash` is its feature where it has no other objects, else 0.
    struct StaticLink {
        AtomId atom;
        Hash label;
        Hash hash;
    };
    void mark_arguments(std::size_t edge);
    void unmark_arguments();
    const std::vector<StaticLink>& static_links(std::size_t edge);
    void list_varying_links(std::size_t edge);
    void list_links(std::size_t edge);
    bool joins_arguments(AtomId atom, ObjectId object) const;
    Hash link_hash(AtomId atom, Hash label, std::size_t edge) const;
    void list_effects(std::size_t edge);
    bool has_fixed_effects(ActionId action) const;
    void add_effect(AtomId atom, bool adds);
    bool happens(std::size_t effect) const;
    void rate_successors();

    const Structure& structure_;
    Block last_;
    Colours colours_;
    std::optional<Outlook> outlook_;
    std::span<const std::int32_t> values_;
    std::span<const ActionId> actions_;
    // Per edge: how its estimate compares with the state's and with the best sibling's (see rate_successors).
    std::vector<std::uint8_t> progress_, gap_;
    std::vector<std::uint32_t> mark_;  // per object: 1 + its place among the action's arguments, or 0
    std::vector<Hash> varying_links_, links_, effects_;
    std::vector<std::vector<StaticLink>> static_links_;  // per action; found when it is first seen
    enum class Known : std::uint8_t { no, fixed, varying };
    std::vector<std::uint8_t> static_known_;
    std::vector<Known> effects_known_;
    // Per object how it sees its neighbours; of the state with the number views_of_.
    std::vector<std::vector<Hash>> views_;
    std::vector<std::uint64_t> views_of_;
    HashSet distinct_;
    std::uint64_t state_number_ = 0;
    std::vector<ObjectId> scanned_;
};

}  // namespace fsplan::relational

#include "policies/relational/features.inl"
