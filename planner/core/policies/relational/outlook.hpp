// What relaxed plans say about a state and its successors: h_FF, helpful actions, dead ends.
//
// They come from the exploration of h_max, whatever heuristic the search uses, since weights are learned for these values.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "heuristics/ground_heuristic.hpp"
#include "task/ground_graph.hpp"

namespace fsplan::relational {

class Outlook {
public:
    // The task must outlive the outlook.
    explicit Outlook(const GroundTask& task);

    // Of the state with these values and its applicable actions, ascending. Successors take an evaluation each.
    void compute(std::span<const std::int32_t> values, std::span<const ActionId> actions, bool with_successors);

    bool is_helpful(std::size_t edge) const { return helpful_[edge] != 0; }
    Cost guide() const { return guide_; }
    Cost successor_guide(std::size_t edge) const { return guides_[edge]; }  // kDeadEnd: no goal can be reached

private:
    void evaluate_successors(const Word* state, std::span<const ActionId> actions);
    Cost guide_of(const Word* state);

    GroundGraph graph_;
    std::unique_ptr<GroundHeuristic> heuristic_;  // hmax
    std::vector<Word> state_;
    Cost guide_ = 0;
    std::vector<std::uint8_t> helpful_;
    std::vector<Cost> guides_;
    // Guides of states seen lately: siblings lead to the same states, and a successor is often the next state asked about.
    struct Seen {
        std::uint64_t hash = 0;
        Cost guide = 0;
    };
    std::vector<Seen> seen_;
};

}  // namespace fsplan::relational
