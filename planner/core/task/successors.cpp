#include "task/successors.hpp"

#include <algorithm>

namespace fsplan {

// Builds the tree. A group is a set of actions with their untested facts; groups on the stack become branches or
// leaves.
class SuccessorTreeBuilder {
public:
    using Node = SuccessorGenerator::Node;

    SuccessorTreeBuilder(const GroundTask& task, const Layout& layout, SuccessorGenerator& generator, Budget& watch)
        : task_(task), layout_(layout), generator_(generator), watch_(watch), uses_(task.variable_count(), 0) {}

    void build() {
        Group all;
        for (ActionId a = 0; a < task_.action_count(); ++a) {
            auto row = task_.precondition[a];
            all.push_back({a, {row.begin(), row.end()}});
            // Variables with a single value need no test.
            std::erase_if(all.back().open,
                          [&](auto fact) { return layout_.field[layout_.variable_of[fact]].mask == 0; });
        }
        waiting_.push_back({std::move(all), kRoot});
        while (!waiting_.empty()) {
            auto [group, place] = std::move(waiting_.back());
            waiting_.pop_back();
            auto node = make_node(std::move(group));
            if (place == kRoot) generator_.root_ = node;
            else if (place < 0) generator_.branches_[~place].otherwise = node;
            else generator_.children_[place] = node;
        }
    }

private:
    struct Open {
        ActionId action;
        std::vector<FactId> open;
    };
    using Group = std::vector<Open>;
    // Where the reference to a node is stored: children_[place], or the member `otherwise` of branches_[~place].
    using Place = std::int64_t;
    static constexpr Place kRoot = std::numeric_limits<Place>::max();
    static constexpr std::size_t kLeafSize = 4;
    // Groups smaller than this fraction of the variable's values are tested one by one, which is cheaper than a branch.
    static constexpr std::size_t kSparse = 16;
    // If every variable is tested by at most this fraction of the actions, branches would form a long chain, which is
    // no faster than single tests and takes quadratic time to build.
    static constexpr std::size_t kChain = 4096;

    Node make_node(Group group) {
        if (group.empty()) return SuccessorGenerator::kNothing;
        bool decided = std::all_of(group.begin(), group.end(), [](const auto& each) { return each.open.empty(); });
        if (decided || group.size() <= kLeafSize) return make_leaf(group);
        auto [variable, uses] = most_tested(group);
        if (group.size() * kSparse < static_cast<std::size_t>(task_.domain_size[variable])) return make_leaf(group);
        if (uses * kChain < group.size()) return make_leaf(group);
        return make_branch(std::move(group), variable);
    }

    Node make_leaf(const Group& group) {
        auto begin = static_cast<std::uint32_t>(generator_.candidates_.size());
        for (const auto& each : group) {
            watch_.tick();
            auto tests = layout_.tests(task_, each.open);
            auto first = static_cast<std::uint32_t>(generator_.tests_.size());
            generator_.tests_.insert(generator_.tests_.end(), tests.begin(), tests.end());
            generator_.candidates_.push_back(
                {each.action, first, static_cast<std::uint32_t>(generator_.tests_.size())});
        }
        generator_.leaves_.push_back({begin, static_cast<std::uint32_t>(generator_.candidates_.size())});
        return ~static_cast<Node>(generator_.leaves_.size() - 1);
    }

    // The variable that most actions of the group test, and their number: then the fewest actions are tested for every
    // value.
    std::pair<std::uint32_t, std::size_t> most_tested(const Group& group) {
        std::uint32_t best = layout_.variable_of[first_open(group)];
        for (const auto& each : group) {
            for (auto fact : each.open) {
                auto variable = layout_.variable_of[fact];
                auto uses = ++uses_[variable];
                if (uses > uses_[best] || (uses == uses_[best] && variable < best)) best = variable;
            }
        }
        const std::size_t most = uses_[best];
        for (const auto& each : group) {
            for (auto fact : each.open) uses_[layout_.variable_of[fact]] = 0;
        }
        return {best, most};
    }

    static FactId first_open(const Group& group) {
        auto found = std::find_if(group.begin(), group.end(), [](const auto& each) { return !each.open.empty(); });
        return found->open.front();
    }

    Node make_branch(Group group, std::uint32_t variable) {
        auto first_child = generator_.children_.size();
        auto values = static_cast<std::size_t>(task_.domain_size[variable]);
        generator_.children_.resize(first_child + values, SuccessorGenerator::kNothing);
        auto node = static_cast<Node>(generator_.branches_.size());
        generator_.branches_.push_back(
            {layout_.field[variable], SuccessorGenerator::kNothing, static_cast<std::uint32_t>(first_child)});
        std::vector<Group> of_value(values);
        Group otherwise;
        for (auto& each : group) {
            watch_.tick();
            auto test = std::find_if(each.open.begin(), each.open.end(),
                                     [&](auto fact) { return layout_.variable_of[fact] == variable; });
            if (test == each.open.end()) {
                otherwise.push_back(std::move(each));
                continue;
            }
            auto value = *test - task_.first_fact[variable];
            each.open.erase(test);
            of_value[value].push_back(std::move(each));
        }
        waiting_.push_back({std::move(otherwise), ~static_cast<Place>(node)});
        for (std::size_t x = 0; x < values; ++x) {
            waiting_.push_back({std::move(of_value[x]), static_cast<Place>(first_child + x)});
        }
        return node;
    }

    const GroundTask& task_;
    const Layout& layout_;
    SuccessorGenerator& generator_;
    Budget& watch_;
    std::vector<std::uint32_t> uses_;
    std::vector<std::pair<Group, Place>> waiting_;
};

SuccessorGenerator::SuccessorGenerator(const GroundTask& task, const Layout& layout, Budget& watch) {
    SuccessorTreeBuilder(task, layout, *this, watch).build();
    // A path tests a variable at most once, and every branch on it leaves one node on the stack.
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
    std::sort(found.begin(), found.end());
}

}  // namespace fsplan
