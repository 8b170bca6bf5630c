// Tests incremental LM-cut with a small cache: values are admissible even if the parent's landmarks were evicted from
// it, whether or not they are recomputed.
#include "landmarks/incremental_cuts.hpp"
#include "task/ground_graph.hpp"
#include "tests/random_task.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

// All reachable states. Each has the parent from which it was reached first, and its goal distance.
class StateGraph {
public:
    explicit StateGraph(const GroundTask& task) : graph_(task), store_(graph_.make_store()) {
        store_.intern(graph_.start());
        parent.push_back(kNoState);
        for (StateId id = 0; id < parent.size(); ++id) expand(id);
        find_costs();
    }

    std::vector<Word> state(StateId id) {
        const Word* words = store_.hold(id);
        return {words, words + layout().stored_words};
    }
    const Layout& layout() const { return graph_.layout(); }

    std::vector<StateId> parent;
    std::vector<Cost> cost_to_go;

private:
    struct Step {
        StateId from, to;
        Cost cost;
    };

    void expand(StateId id) {
        const std::vector<Word> from = state(id);
        graph_.successors(from.data(), [&](ActionId, Cost cost, const Word* to) {
            const Interned child = store_.intern(to);
            if (child.is_new) parent.push_back(id);
            steps_.push_back({id, child.id, cost});
        });
    }
    void find_costs() {
        for (StateId id = 0; id < parent.size(); ++id)
            cost_to_go.push_back(graph_.is_goal(state(id).data()) ? 0 : kDeadEnd);
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& [from, to, cost] : steps_) {
                if (cost_to_go[to] == kDeadEnd || cost_to_go[to] + cost >= cost_to_go[from]) continue;
                cost_to_go[from] = cost_to_go[to] + cost;
                changed = true;
            }
        }
    }

    GroundGraph graph_;
    GroundGraph::Store store_;
    std::vector<Step> steps_;
};

struct Found {
    std::uint64_t work = 0;
    std::int64_t values = 0;
};

// Evaluates all states in breadth-first order. `memory` is the memory limit, an eighth of which is for the cache of landmarks.
Found evaluate_all(const GroundTask& task, StateGraph& states, std::size_t memory, bool with_parent_states) {
    const MemoryLimit limit(memory);
    const Relaxation relaxation = relax(task);
    IncrementalCuts cuts(task, states.layout(), relaxation);
    Found found;
    for (StateId id = 0; id < states.parent.size(); ++id) {
        const StateId parent = states.parent[id];
        const auto child_state = states.state(id), parent_state = states.state(parent == kNoState ? 0 : parent);
        const IncrementalCuts::Place place{id, parent, with_parent_states ? parent_state.data() : nullptr};
        const Cost h = cuts.sum(child_state.data(), place);
        require(h <= states.cost_to_go[id], "an admissible value");
        if (h != kDeadEnd) found.values += h;
    }
    found.work = cuts.work();
    return found;
}

void values_are_admissible_whatever_is_kept() {
    constexpr std::size_t plenty = 1'000'000'000, of_some_nodes = 40'000, of_none = 1'000;
    Found all, some, again, none;
    const auto add = [](Found& to, const Found& more) {
        to.work += more.work;
        to.values += more.values;
    };
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const GroundTask task = random_task(seed, {.derived = static_cast<int>(seed % 3)});
        StateGraph states(task);
        add(all, evaluate_all(task, states, plenty, true));
        add(some, evaluate_all(task, states, of_some_nodes, false));
        add(again, evaluate_all(task, states, of_some_nodes, true));
        add(none, evaluate_all(task, states, of_none, false));
    }
    require(all.work < none.work, "known landmarks save work");
    require(some.work != all.work && some.work != none.work,
            "memory too short for all nodes, and long enough for some");
    require(again.work > some.work, "landmarks of parents are found again");
    require(again.values != some.values, "and their children have them");
}

}  // namespace

int main() { values_are_admissible_whatever_is_kept(); }
