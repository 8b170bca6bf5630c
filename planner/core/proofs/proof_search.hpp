// Searches for a proof that every plan costs at least B. The proof consists of states labelled with g, and of other
// states with evidence for their lower bounds.
//
// States that differ only by the given swaps of objects are merged (task/symmetric_graph.hpp); the checker verifies the
// swaps and merges states in the same way.
// The search is A* with the bounds of the evidence (cut_evidence.hpp) as h. It ends when the least f of the open states
// is at least B. Then every successor of a state with g + bound < B either is such a state as well, or its evidence
// shows g + bound >= B: that is the proof. If a limit is reached before, the least f of the open states is the proven
// bound. Most states reuse evidence of other states; new evidence is searched for only if the bound is too low.
#pragma once

#include "proofs/cut_evidence.hpp"
#include "task/symmetric_graph.hpp"

namespace fsplan {

// Evidence from a linear program, which bounds every state: (constant − Σ weights of the facts that hold + Σ shares of
// the cuts none of whose facts hold) / denominator. No sum of its numbers may overflow.
struct LinearEvidence {
    std::vector<std::int64_t> weight;  // per fact
    std::int64_t constant;
    std::int64_t denominator;
    std::vector<std::pair<std::vector<FactId>, std::int64_t>> cuts;
};

class ProofSearch {
public:
    // Task and watch must outlive the object.
    ProofSearch(const GroundTask& task, Symmetries symmetries, Budget& watch);
    ProofSearch(const ProofSearch&) = delete;
    ProofSearch& operator=(const ProofSearch&) = delete;

    // Adds evidence that is used in addition to cuts; to be called before prove().
    void add(LinearEvidence evidence);
    // For each linear evidence, in the order of the calls of add(): whether the proof uses it.
    std::vector<bool> linear_used() const;
    // The facts of a cut that proves that every plan uses one of these actions, if there is such a cut.
    std::optional<std::vector<FactId>> cut_of_start(std::span<const ActionId> actions);
    // To be set for unsolvable tasks: then only dead ends get evidence, and no bounds of other states are computed.
    bool only_dead_ends = false;

    // Returns the proven bound: the target, or less if a limit was reached; kDeadEnd if there is no plan.
    Cost prove(Cost target, std::size_t most_states);

    // Number of states with labels, and of states with evidence, in the proof of the last bound.
    std::size_t label_count() const;
    std::size_t evidence_count() const { return store_.size() - label_count(); }
    // Writes the proof as lines (docs/proofs.md). `literals` maps a fact to its literals, `atom_of` to the atom that
    // represents it in states, or -1. Cuts are numbered from `first_part` on. The caller has already written the lines
    // of the linear evidence that the proof uses.
    void write(const std::vector<std::vector<std::uint32_t>>& literals, const std::vector<std::int32_t>& atom_of,
               std::size_t first_part, const std::function<void(std::string_view)>& emit) const;

private:
    static constexpr std::size_t kRecent = 12;
    struct Node {
        Cost g;
        Cost bound;  // lower bound by the node's evidence
        std::uint32_t evidence;
        bool searched = false;  // whether evidence was searched for, and not only reused
    };
    struct Entry {
        Cost f, g;
        StateId id;
        // Orders the queue by least f, then by greatest g.
        bool operator<(const Entry& other) const { return f != other.f ? f > other.f : g < other.g; }
    };

    static Cost f(const Node& node) { return node.bound == kDeadEnd ? kDeadEnd : saturating_add(node.g, node.bound); }
    void search(Cost target, std::size_t most_states);
    void expand(StateId id, Cost target);
    void push(StateId id);
    void reach(const Word* state, Cost g, std::uint32_t parent_evidence, Cost target);
    Cost value(std::uint32_t evidence) const;
    Cost linear_value(const LinearEvidence& evidence) const;
    void take_over(Node& node, std::uint32_t evidence);
    void take_over_recent(Node& node, Cost target);
    void find_own(Node& node);
    Cost least_open_f();
    bool is_labelled(StateId id) const;
    void append_toggles(std::string& line, std::vector<std::int32_t>& before, const Word* state,
                        const std::vector<std::int32_t>& atom_of) const;

    const GroundTask& task_;
    Budget& watch_;
    GroundGraph graph_of_task_;
    SymmetricGraph graph_;
    SymmetricGraph::Store store_;
    CutEvidence finder_;
    std::vector<Node> nodes_;
    std::vector<LinearEvidence> linear_;
    std::vector<Evidence> evidence_;  // index 0 is the trivial bound; indices 1 … n are the evidence in linear_
    std::deque<std::uint32_t> recent_;
    std::priority_queue<Entry> open_;
    // If a limit ends the search between two steps, these count as open, too: the entry whose successors are being
    // registered, and the state for which evidence is being searched for.
    std::optional<Entry> expanded_;
    std::optional<StateId> reached_;
    Cost proven_ = 0;
};

}  // namespace fsplan
