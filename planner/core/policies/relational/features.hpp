// Features of the applicable actions of a state, as 64-bit hashes: an action has each of its features once, with value
// 1.
//
// For schema s with arguments o_1 … o_k, block by block:
// colours
//   schema     s alone; s with every label present in the state; s, two labels, and which of them has more atoms
//              (label_counts.hpp)
//   argument   s, i and each colour of o_i
//   effects    the add and delete effects and whether they are goals, with and without s
// plan
//   plan       whether the action is helpful; how many actions of the relaxed plan need its add effects; how many
//              helpful and how many other actions need its delete effects; with and without s
//   argument   s, i and each schema parameter for which o_i is used in the relaxed plan
// context
//   views      s, i and each atom of o_i, with the colours of its other objects
//   company    s, i, the first colour of o_i, and each first colour that some object of the state has
//   arguments  s and the colours of two arguments, or of all arguments, in each round but the last
//   links      s and each atom that contains two arguments, with the arguments marked and other objects by their first
//              colour; s and the set of these atoms
// guides
//   guides     how c + h_FF of the successor compares with h_FF of the state and with the least among the siblings;
//              with and without s
// If actions of the task differ in cost, there are features of s and how the cost compares with the least cost of the
// applicable actions of s (block colours), of those that are helpful iff this one is (plan), and of those whose arguments
// have the same colours, or which have the same o_i (context). The block guides then has features of how far c + h_FF of
// the successor is above the least among the siblings, relative to h_FF of the state.
//
// The lowest two bits of a feature name its block. The features of the first two blocks are cheap, including one
// exploration of the delete relaxation per state. Those of the context take several times as long, and those of the
// guides take one exploration per compared successor.
//
// Most groups seldom change from state to state. So every group has a key: as long as the key is the same, so are the
// features of the group, and the sum of their weights is reused (feature_sums.hpp).
#pragma once

#include "policies/relational/action_costs.hpp"
#include "policies/relational/colours.hpp"
#include "policies/relational/links.hpp"
#include "policies/relational/plan_relations.hpp"
#include "policies/relational/relaxed_plans.hpp"
#include "policies/relational/replaced_facts.hpp"
#include "policies/relational/structure.hpp"
#include "policies/relational/successors.hpp"

namespace fsplan::relational {

enum class Block : std::uint8_t { colours, plan, context, guides };
inline constexpr std::size_t kBlocks = 4;
inline constexpr std::uint32_t kFeatureVersion = 4;

// Least number of actions on a policy's shortlist (relational_policy.hpp) for a state with this many applicable actions.
// Actions whose score by the first weights equals that of the last one are added.
inline constexpr std::size_t shortlist_size(std::size_t actions) { return std::max<std::size_t>(6, (actions + 7) / 8); }

inline Block block_of(Hash feature) { return static_cast<Block>(feature & 3); }
inline Hash in_block(Hash hash, Block block) { return (hash & ~Hash{3}) | static_cast<Hash>(block); }

// Returns a function that adds each feature twice: alone, and combined with the schema.
template <class Add>
auto with_and_without(Hash schema, Add add) {
    return [schema, add](Hash hash, Block block) {
        add(in_block(hash, block));
        add(in_block(join(hash, schema), block));
    };
}

class Features {
public:
    // The structure must outlive the features.
    explicit Features(const Structure& structure);
    // Features of a task to which actions will be appended: without relaxed plans, so the features of the blocks plan
    // and guides are meaningless. `costs_differ` tells whether actions of the task may differ in cost.
    Features(const Structure& structure, bool costs_differ);

    // Must be called after Structure::read_new_actions.
    void read_new_actions();

    void set_state(std::span<const std::int32_t> values, std::span<const ActionId> actions);
    // Evaluates the successors along these edges and compares them with the state and with each other. Only these
    // edges have features in Block::guides.
    void compare(std::span<const std::uint32_t> edges) { successors_.compare(actions_, edges); }
    void compare_all();

    // The distinct features of an action of the state, sorted; those in Block::guides only after compare_all().
    void list(std::size_t edge, std::vector<Hash>& out);

    // The groups of features, each with a function that returns its key. Two actions with the same key have the same
    // features in the group if they also agree on the items after "key per" in the comment, such as the schema. `add`
    // is called with each feature; only view_features may add a feature twice.
    Hash schema_key() const { return colours_.label_counts().key() + 1; }  // key per schema
    template <class Add>
    void schema_features(std::size_t edge, Add add) const {
        const Hash schema = schema_hash(edge);
        add(in_block(join(tag::schema, schema), Block::colours));
        const Hash with_label = join(tag::label, schema);
        label_counts().list_labels([&](Hash label) { add(in_block(join(with_label, label), Block::colours)); });
    }
    template <class Add>
    void comparison_features(std::size_t edge, Add add) const {
        for (std::size_t pair = 0; pair < label_counts().pair_count(); ++pair) {
            const Comparison comparison = label_counts().comparison(pair);
            if (comparison != Comparison::absent) add(comparison_feature(schema_hash(edge), pair, comparison));
        }
    }
    Hash comparison_feature(Hash schema, std::size_t pair, Comparison comparison) const {
        const Hash which = join(label_counts().pair_hash(pair), static_cast<Hash>(comparison));
        return in_block(join(join(tag::compare, schema), which), Block::colours);
    }
    const LabelCounts& label_counts() const { return colours_.label_counts(); }
    Hash argument_key(ObjectId object) const { return argument_keys_[object]; }  // key per schema and parameter
    template <class Add>
    void argument_features(std::size_t edge, std::size_t i, Add add) const {
        const ObjectId object = arguments(edge)[i];
        const Hash argument = join(join(tag::argument, schema_hash(edge)), i),
                   role = join(join(tag::role, schema_hash(edge)), i);
        for (std::size_t round = 0; round <= kRounds; ++round)
            add(in_block(join(argument, colours_.of(round, object)), Block::colours));
        for (const std::uint32_t place : relations_.roles(object))
            add(in_block(join(role, structure_.place_hash(place)), Block::plan));
        if (relations_.roles(object).empty()) add(in_block(role, Block::plan));
    }
    Hash effects_key(std::size_t edge) { return replaced_.key(actions_[edge]); }  // key per action
    template <class Add>
    void effect_features(std::size_t edge, Add add) {
        list_effects(edge);
        const auto add_both = with_and_without(schema_hash(edge), add);
        for (const Hash effect : effects_) add_both(effect, Block::colours);
    }

    static constexpr std::size_t kPlanKeys = PlanRelations::Relation::kCount;
    std::size_t plan_key(std::size_t edge) const { return relations_.relation(edge).number(); }  // key per schema
    template <class Add>
    void plan_features(std::size_t edge, Add add) const {
        const auto add_both = with_and_without(schema_hash(edge), add);
        const PlanRelations::Relation& relation = relations_.relation(edge);
        const Hash helpful = join(tag::helpful, relation.helpful);
        const Hash supplies = join(join(helpful, tag::supplies), relation.supplies);
        const auto with_breaks = [&](Hash hash) {
            return join(join(join(hash, tag::breaks), relation.breaks_helpful), relation.breaks_others);
        };
        for (const Hash feature : {helpful, supplies, with_breaks(helpful), with_breaks(supplies)})
            add_both(feature, Block::plan);
    }

    // key per schema and parameter
    Hash view_key(ObjectId object, std::size_t round) const { return colours_.of(round + 1, object); }
    template <class Add>
    void view_features(std::size_t edge, std::size_t i, std::size_t round, Add add) const {
        const Hash argument = join(join(tag::view, schema_hash(edge)), i);
        colours_.list_views(arguments(edge)[i], round,
                            [&](Hash view) { add(in_block(join(argument, view), Block::context)); });
    }
    // key per schema and parameter
    Hash company_key(ObjectId object) const { return colours_.of(0, object) + colours_.first_colours(); }
    template <class Add>
    void company_features(std::size_t edge, std::size_t i, Add add) const {
        const Hash own = colours_.of(0, arguments(edge)[i]);
        const Hash argument = join(join(join(tag::company, schema_hash(edge)), i), own);
        colours_.list_first_colours([&](Hash colour) { add(in_block(join(argument, colour), Block::context)); });
    }
    Hash arguments_key(std::size_t edge, std::size_t round) const;  // key per schema
    template <class Add>
    void arguments_features(std::size_t edge, std::size_t round, Add add) const {
        const auto objects = arguments(edge);
        const auto add_context = [&](Hash hash) { add(in_block(hash, Block::context)); };
        // There is a prefix for each pair of parameters, in the order of these loops, then one for all parameters.
        const Hash* prefix = prefixes_[structure_.schema(actions_[edge])].data();
        for (std::size_t i = 0; i < objects.size(); ++i)
            for (std::size_t j = i + 1; j < objects.size(); ++j)
                add_context(join(join(*prefix++, colours_.of(round, objects[i])), colours_.of(round, objects[j])));
        if (objects.size() <= 2) return;
        Hash tuple = *prefix;
        for (const ObjectId object : objects) tuple = join(tuple, colours_.of(round, object));
        add_context(tuple);
    }
    // Finds the atoms that link arguments of the action (links.hpp) and returns their key, per action.
    Hash find_links(std::size_t edge) { return links_.find(actions_[edge]); }
    // Features of the atoms that find_links found last.
    template <class Add>
    void link_features(Add add) {
        for (const Hash link : links_.features()) add(in_block(link, Block::context));
    }
    // Common key of the features of views, arguments and links, per action.
    Hash context_key(std::size_t edge) const;

    static constexpr std::size_t kGuideKeys = Successors::kProgress * Successors::kGaps;
    std::size_t guides_key(std::size_t edge) const {  // key per schema
        return successors_.progress(edge) * Successors::kGaps + successors_.gap(edge);
    }
    template <class Add>
    void guide_features(std::size_t edge, Add add) const {
        const auto add_both = with_and_without(schema_hash(edge), add);
        add_both(join(tag::progress, successors_.progress(edge)), Block::guides);
        add_both(join(tag::gap, successors_.gap(edge)), Block::guides);
    }

    bool costs_differ() const { return costs_.differ(); }  // false: there are no cost features
    // Three groups of cost features: those of the blocks colours and plan, of the block context, of the block guides.
    template <class Add>
    void cost_features(std::size_t edge, Add add) const {
        if (!costs_.differ()) return;
        list_cost_kinds(edge, [&](std::size_t number, Hash kind) {
            const Hash feature = cost_feature(edge, number, kind);
            add(number == 0 ? in_block(feature, Block::colours)
                            : in_block(join(feature, relations_.relation(edge).helpful), Block::plan));
        });
    }
    template <class Add>
    void cost_context_features(std::size_t edge, Add add) const {
        if (!costs_.differ()) return;
        list_cost_context(edge, [&](std::size_t number, Hash kind) {
            add(in_block(cost_feature(edge, number, kind), Block::context));
        });
    }
    template <class Add>
    void cost_guide_features(std::size_t edge, Add add) const {
        if (costs_.differ())
            with_and_without(schema_hash(edge), add)(join(tag::lag, successors_.lag(edge)), Block::guides);
    }

    Cost guide() const { return relaxed_.guide(); }         // h_FF; kDeadEnd if the relaxed goal is unreachable
    std::uint64_t work() const { return relaxed_.work(); }  // work of the relaxed explorations so far
    std::size_t size() const { return actions_.size(); }
    ActionId action(std::size_t edge) const { return actions_[edge]; }
    const Structure& structure() const { return structure_; }

private:
    Features(const Structure& structure, bool relaxed_plans, bool costs_differ);

    Hash schema_hash(std::size_t edge) const { return structure_.schema_hash(actions_[edge]); }
    std::span<const ObjectId> arguments(std::size_t edge) const { return structure_.arguments(actions_[edge]); }
    void make_prefixes();
    void list_effects(std::size_t edge);
    void add_effect(AtomId atom, bool adds);
    Hash cost_feature(std::size_t edge, std::size_t number, Hash kind) const {
        return join(join(join(tag::cost, schema_hash(edge)), number), costs_.rank(join(number, kind), actions_[edge]));
    }
    // Calls list(number, kind) for each kind of actions (action_costs.hpp) with which the cost of this action is
    // compared. Kinds of different numbers are different.
    template <class List>
    void list_cost_kinds(std::size_t edge, List list) const {
        list(0, schema_hash(edge));
        list(1, join(schema_hash(edge), relations_.relation(edge).helpful));
    }
    template <class List>
    void list_cost_context(std::size_t edge, List list) const {
        const Hash schema = schema_hash(edge);
        std::size_t number = 2;
        for (std::size_t round = 0; round < kRounds; ++round, ++number)
            list(number, join(schema, arguments_key(edge, round)));
        for (const ObjectId object : arguments(edge)) list(number, join(schema, object)), ++number;
    }
    void compare_costs();

    const Structure& structure_;
    Colours colours_;
    Links links_;
    RelaxedPlans relaxed_;
    ReplacedFacts replaced_;
    PlanRelations relations_;
    Successors successors_;
    ActionCosts costs_;
    std::span<const ActionId> actions_;
    std::vector<Hash> argument_keys_;  // per object
    std::vector<Hash> effects_;
    std::vector<std::vector<Hash>> prefixes_;  // per schema: first parts of the hashes of arguments_features
    ActionId prefixes_end_ = 0;                // the schemas of the actions before this one have prefixes
    bool all_compared_ = false;                // whether compare_all() was called for this state
};

}  // namespace fsplan::relational
