#include "task/dependencies.hpp"

namespace fsplan {

namespace {

// Tarjan's strongly connected components with an explicit stack: rule chains can be as long as the task.
class Components {
public:
    explicit Components(const std::vector<std::vector<std::uint32_t>>& next)
        : next_(next), index_(next.size(), kUnseen), low_(next.size(), 0), on_stack_(next.size(), false) {}

    std::vector<bool> on_cycle() {
        std::vector<bool> result(next_.size(), false);
        for (std::uint32_t node = 0; node < next_.size(); ++node) {
            if (index_[node] == kUnseen) visit(node, result);
        }
        return result;
    }

private:
    static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

    struct Frame {
        std::uint32_t node;
        std::size_t edge = 0;
    };

    void enter(std::uint32_t node) {
        index_[node] = low_[node] = counter_++;
        stack_.push_back(node);
        on_stack_[node] = true;
        frames_.push_back({node});
    }

    void visit(std::uint32_t root, std::vector<bool>& result) {
        enter(root);
        while (!frames_.empty()) {
            auto node = frames_.back().node;
            if (frames_.back().edge < next_[node].size()) {
                auto child = next_[node][frames_.back().edge++];
                if (index_[child] == kUnseen) enter(child);
                else if (on_stack_[child]) low_[node] = std::min(low_[node], index_[child]);
                if (child == node) result[node] = true;
                continue;
            }
            frames_.pop_back();
            if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
            if (low_[node] == index_[node]) close(node, result);
        }
    }

    void close(std::uint32_t root, std::vector<bool>& result) {
        bool several = stack_.back() != root;
        for (std::uint32_t member = kUnseen; member != root;) {
            member = stack_.back();
            stack_.pop_back();
            on_stack_[member] = false;
            if (several) result[member] = true;
        }
    }

    const std::vector<std::vector<std::uint32_t>>& next_;
    std::vector<std::uint32_t> index_, low_, stack_;
    std::vector<bool> on_stack_;
    std::vector<Frame> frames_;
    std::uint32_t counter_ = 0;
};

}  // namespace

std::vector<bool> self_dependent_variables(const GroundTask& task) {
    const auto variable_of = variables_of_facts(task);
    std::vector<std::vector<std::uint32_t>> depends_on(task.variable_count());
    for (std::size_t r = 0; r < task.rule_head.size(); ++r) {
        auto& row = depends_on[variable_of[task.rule_head[r]]];
        for (auto fact : task.rule_body[r]) row.push_back(variable_of[fact]);
    }
    return Components(depends_on).on_cycle();
}

}  // namespace fsplan
