#include "task/successors.hpp"

namespace fsplan {

// Builds the tree. A group is a set of actions with their untested facts. It becomes a chain of branches, each by the
// variable that most of the remaining actions test, linked by `otherwise`; the last actions become a leaf. The groups
// below the branches follow later. The chain of a group takes time linear in its facts, however long it is, because the
// actions of each variable are listed once.
class SuccessorTreeBuilder {
public:
    using Node = SuccessorGenerator::Node;

    SuccessorTreeBuilder(const GroundTask& task, const Layout& layout, SuccessorGenerator& generator, Budget& watch)
        : task_(task), layout_(layout), generator_(generator), watch_(watch), first_(task.variable_count(), 0),
          uses_(task.variable_count(), 0) {}

    void build() {
        Group all;
        for (ActionId a = 0; a < task_.action_count(); ++a) {
            const auto begin = static_cast<std::uint32_t>(facts_.size());
            // Variables with a single value need no test.
            for (const FactId fact : task_.precondition[a])
                if (layout_.field[variable(fact)].mask != 0) facts_.push_back(fact);
            all.push_back({a, begin, static_cast<std::uint32_t>(facts_.size())});
        }
        waiting_.push_back({std::move(all), kRoot});
        while (!waiting_.empty()) {
            auto [group, place] = std::move(waiting_.back());
            waiting_.pop_back();
            make_chain(std::move(group), place);
        }
    }

private:
    struct Open {
        ActionId action;
        std::uint32_t begin, end;  // the untested facts, in facts_
    };
    using Group = std::vector<Open>;
    // Where the reference to a node is stored: children_[place], or the member `otherwise` of branches_[~place].
    using Place = std::int64_t;
    static constexpr Place kRoot = std::numeric_limits<Place>::max();
    static constexpr std::size_t kLeafSize = 4;
    // A group with fewer actions than 1 / kSparse of the variable's values is tested one by one, cheaper than a branch.
    static constexpr std::size_t kSparse = 16;
    // If every variable is tested by less than 1 / kChain of the actions, branches would form a long chain, which is no
    // faster than single tests.
    static constexpr std::size_t kChain = 4096;
    // Replaces the action of an entry that has been moved to a branch.
    static constexpr std::uint32_t kTaken = std::numeric_limits<std::uint32_t>::max();

    void make_chain(Group group, Place place) {
        list_tests(group);
        std::size_t left = group.size();
        while (left > 0) {
            const std::uint32_t most = most_tested();
            if (most == kNoVariable || ends_chain(left, most)) break;
            const auto before = static_cast<std::size_t>(uses_[most]);
            place = make_branch(group, most, place);
            left -= before;
        }
        clear_tests();
        if (left == 0) return;
        std::erase_if(group, [](const Open& each) { return each.action == kTaken; });
        set(place, make_leaf(group));
    }
    bool ends_chain(std::size_t left, std::uint32_t most) const {
        return left <= kLeafSize || left * kSparse < static_cast<std::size_t>(task_.domain_size[most]) ||
               uses_[most] * kChain < left;
    }
    void set(Place place, Node node) {
        if (place == kRoot) generator_.root_ = node;
        else if (place < 0) generator_.branches_[~place].otherwise = node;
        else generator_.children_[place] = node;
    }

    Node make_leaf(const Group& group) {
        auto begin = static_cast<std::uint32_t>(generator_.candidates_.size());
        for (const auto& each : group) {
            watch_.tick();
            auto tests = layout_.tests(task_, open(each));
            auto first = static_cast<std::uint32_t>(generator_.tests_.size());
            generator_.tests_.insert(generator_.tests_.end(), tests.begin(), tests.end());
            generator_.candidates_.push_back(
                {each.action, first, static_cast<std::uint32_t>(generator_.tests_.size())});
        }
        generator_.leaves_.push_back({begin, static_cast<std::uint32_t>(generator_.candidates_.size())});
        return ~static_cast<Node>(generator_.leaves_.size() - 1);
    }

    // Lists the variables that the group tests, with the actions that test each, and counts these.
    void list_tests(const Group& group) {
        for (std::uint32_t i = 0; i < group.size(); ++i)
            for (const FactId fact : open(group[i])) testers_.push_back({variable(fact), i});
        std::ranges::sort(testers_);
        for (std::uint32_t i = 0; i < testers_.size(); ++i) {
            const std::uint32_t tested = testers_[i].first;
            if (uses_[tested]++ == 0) first_[tested] = i;
            if (i + 1 == testers_.size() || testers_[i + 1].first != tested) by_uses_.push({uses_[tested], ~tested});
        }
    }
    void clear_tests() {
        for (const auto& [tested, i] : testers_) uses_[tested] = 0;
        testers_.clear();
        by_uses_ = {};
    }
    // The variable that most remaining actions of the group test (ties: the lowest number), so that few actions are left
    // for `otherwise`, which is visited for every value. kNoVariable if nothing is left to test. Counts only fall, so a
    // stale entry of the queue is replaced when it reaches the top.
    std::uint32_t most_tested() {
        while (!by_uses_.empty()) {
            const auto [uses, complement] = by_uses_.top();
            const std::uint32_t tested = ~complement;
            if (uses == uses_[tested] && uses > 0) return tested;
            by_uses_.pop();
            if (uses_[tested] > 0) by_uses_.push({uses_[tested], complement});
        }
        return kNoVariable;
    }

    // Makes a branch by the variable and moves the actions that test it from the group to groups below the branch, one
    // per value. Returns the place of the reference to the next branch, which is for the remaining actions.
    Place make_branch(Group& group, std::uint32_t tested, Place place) {
        const auto first_child = static_cast<std::uint32_t>(generator_.children_.size());
        const auto values = static_cast<std::size_t>(task_.domain_size[tested]);
        generator_.children_.resize(first_child + values, SuccessorGenerator::kNothing);
        const auto node = static_cast<Node>(generator_.branches_.size());
        generator_.branches_.push_back({layout_.field[tested], SuccessorGenerator::kNothing, first_child});
        set(place, node);
        std::vector<Group> of_value(values);
        for (auto i = first_[tested]; i < testers_.size() && testers_[i].first == tested; ++i) {
            Open& each = group[testers_[i].second];
            if (each.action == kTaken) continue;
            watch_.tick();
            of_value[take(each, tested) - task_.first_fact[tested]].push_back(each);
            each.action = kTaken;
        }
        for (std::size_t x = 0; x < values; ++x)
            if (!of_value[x].empty()) waiting_.push_back({std::move(of_value[x]), static_cast<Place>(first_child + x)});
        return ~static_cast<Place>(node);
    }
    // Removes the fact of the variable from the untested facts of the action and returns it.
    FactId take(Open& each, std::uint32_t tested) {
        for (const FactId fact : open(each)) --uses_[variable(fact)];
        const auto begin = facts_.begin() + each.begin;
        const auto test =
            std::find_if(begin, facts_.begin() + each.end, [&](FactId fact) { return variable(fact) == tested; });
        std::rotate(begin, test, test + 1);
        return facts_[each.begin++];
    }

    static constexpr std::uint32_t kNoVariable = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t variable(FactId fact) const { return layout_.variable_of[fact]; }
    std::span<const FactId> open(const Open& each) const { return {facts_.data() + each.begin, each.end - each.begin}; }

    const GroundTask& task_;
    const Layout& layout_;
    SuccessorGenerator& generator_;
    Budget& watch_;
    std::vector<FactId> facts_;  // preconditions of all actions; those of an action that have been tested come first
    std::vector<std::pair<Group, Place>> waiting_;
    // Data of the group that is being processed
    std::vector<std::pair<std::uint32_t, std::uint32_t>> testers_;  // (variable, index of an action that tests it)
    std::vector<std::uint32_t> first_;                              // variable -> index of its first entry in testers_
    std::vector<std::uint32_t> uses_;  // variable -> number of remaining actions that test it
    std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> by_uses_;  // (uses_[v], ~v); may be stale
};

SuccessorGenerator::SuccessorGenerator(const GroundTask& task, const Layout& layout, Budget& watch) {
    SuccessorTreeBuilder(task, layout, *this, watch).build();
    // Greatest size of the stack: a path tests a variable at most once, and every branch on it leaves one node there.
    stack_.resize(task.variable_count() + 2);
}

void SuccessorGenerator::visit_leaf(const Leaf& leaf, const Word* state, std::vector<ActionId>& found) const {
    for (auto c = leaf.begin; c < leaf.end; ++c) {
        const auto& candidate = candidates_[c];
        if (holds({tests_.data() + candidate.begin, tests_.data() + candidate.end}, state)) {
            found.push_back(candidate.action);
        }
    }
}

void SuccessorGenerator::applicable(const Word* state, std::vector<ActionId>& found) {
    found.clear();
    auto* top = stack_.data();
    *top++ = root_;
    while (top != stack_.data()) {
        auto node = *--top;
        if (node == kNothing) continue;
        if (node < 0) {
            visit_leaf(leaves_[~node], state, found);
            continue;
        }
        const auto& branch = branches_[node];
        *top++ = branch.otherwise;
        *top++ = children_[branch.first_child + branch.field.get(state)];
    }
    std::ranges::sort(found);
}

}  // namespace fsplan
